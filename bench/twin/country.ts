//! Country codes: some exchanges send two letters.

/** The codes of ISO 3166-1, each as alpha-2 followed by alpha-3. `UK` and Kosovo's `XK` are added. */
const CODES = [
  "adandaeareafafgagatgaiaiaalalbamarmaoagoaqataarargasasmatautauausawabwaxalaazazebabihbbbrb",
  "bdbgdbebelbfbfabgbgrbhbhrbibdibjbenblblmbmbmubnbrnbobolbqbesbrbrabsbhsbtbtnbvbvtbwbwabyblr",
  "bzblzcacancccckcdcodcfcafcgcogchchecicivckcokclchlcmcmrcnchncocolcrcricucubcvcpvcwcuwcxcxr",
  "cycypczczededeudjdjidkdnkdmdmadodomdzdzaececueeestegegyeheshereriesespetethfifinfjfjifkflk",
  "fmfsmfofrofrfragagabgbgbrgdgrdgegeogfgufggggyghghagigibglgrlgmgmbgngingpglpgqgnqgrgrcgssgs",
  "gtgtmgugumgwgnbgyguyhkhkghmhmdhnhndhrhrvhthtihuhunididnieirlilisrimimninindioiotiqirqirirn",
  "isislititajejeyjmjamjojorjpjpnkekenkgkgzkhkhmkikirkmcomknknakpprkkrkorkwkwtkycymkzkazlalao",
  "lblbnlclcalilielklkalrlbrlslsoltltululuxlvlvalylbymamarmcmcomdmdamemnemfmafmgmdgmhmhlmkmkd",
  "mlmlimmmmrmnmngmomacmpmnpmqmtqmrmrtmsmsrmtmltmumusmvmdvmwmwimxmexmymysmzmoznanamncnclnener",
  "nfnfkngnganinicnlnldnonornpnplnrnrununiunznzlomomnpapanpeperpfpyfpgpngphphlpkpakplpolpmspm",
  "pnpcnprpripspseptprtpwplwpypryqaqatrereurorourssrbrurusrwrwasasausbslbscsycsdsdnseswesgsgp",
  "shshnsisvnsjsjmsksvkslslesmsmrsnsensosomsrsurssssdststpsvslvsxsxmsysyrszswztctcatdtcdtfatf",
  "tgtgoththatjtjktktkltltlstmtkmtntuntotontrturttttotvtuvtwtwntztzauaukrugugaukgbrumumiususa",
  "uyuryuzuzbvavatvcvctvevenvgvgbvivirvnvnmvuvutwfwlfwswsmxkxkxyeyemytmytzazafzmzmbzwzwe",
].join("");

const ALPHA_3 = new Map(Array.from(CODES.matchAll(/(..)(...)/g), ([, two = "", three = ""]) => [two, three]));

/** The alpha-3 code of a country, in lower case. */
export function alpha3(country: string): string {
  return ALPHA_3.get(country) ?? country;
}
