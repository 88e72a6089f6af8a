//! Country codes: some exchanges send two letters.

/** Codes of ISO 3166-1, alpha-2 followed by alpha-3, and also `UK` and Kosovo's `XK`. */
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
