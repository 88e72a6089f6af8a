//! Country codes: turns alpha-2 codes, which some exchanges send, into alpha-3 codes.

/// The codes of ISO 3166-1 in order, each alpha-2 followed by alpha-3; and `UK` and `XK` (Kosovo), which requests
/// contain, but ISO 3166-1 does not.
const CODES: &[u8] = b"\
    ADANDAEAREAFAFGAGATGAIAIAALALBAMARMAOAGOAQATAARARGASASMATAUTAUAUSAWABWAXALAAZAZEBABIHBBBRB\
    BDBGDBEBELBFBFABGBGRBHBHRBIBDIBJBENBLBLMBMBMUBNBRNBOBOLBQBESBRBRABSBHSBTBTNBVBVTBWBWABYBLR\
    BZBLZCACANCCCCKCDCODCFCAFCGCOGCHCHECICIVCKCOKCLCHLCMCMRCNCHNCOCOLCRCRICUCUBCVCPVCWCUWCXCXR\
    CYCYPCZCZEDEDEUDJDJIDKDNKDMDMADODOMDZDZAECECUEEESTEGEGYEHESHERERIESESPETETHFIFINFJFJIFKFLK\
    FMFSMFOFROFRFRAGAGABGBGBRGDGRDGEGEOGFGUFGGGGYGHGHAGIGIBGLGRLGMGMBGNGINGPGLPGQGNQGRGRCGSSGS\
    GTGTMGUGUMGWGNBGYGUYHKHKGHMHMDHNHNDHRHRVHTHTIHUHUNIDIDNIEIRLILISRIMIMNININDIOIOTIQIRQIRIRN\
    ISISLITITAJEJEYJMJAMJOJORJPJPNKEKENKGKGZKHKHMKIKIRKMCOMKNKNAKPPRKKRKORKWKWTKYCYMKZKAZLALAO\
    LBLBNLCLCALILIELKLKALRLBRLSLSOLTLTULULUXLVLVALYLBYMAMARMCMCOMDMDAMEMNEMFMAFMGMDGMHMHLMKMKD\
    MLMLIMMMMRMNMNGMOMACMPMNPMQMTQMRMRTMSMSRMTMLTMUMUSMVMDVMWMWIMXMEXMYMYSMZMOZNANAMNCNCLNENER\
    NFNFKNGNGANINICNLNLDNONORNPNPLNRNRUNUNIUNZNZLOMOMNPAPANPEPERPFPYFPGPNGPHPHLPKPAKPLPOLPMSPM\
    PNPCNPRPRIPSPSEPTPRTPWPLWPYPRYQAQATREREUROROURSSRBRURUSRWRWASASAUSBSLBSCSYCSDSDNSESWESGSGP\
    SHSHNSISVNSJSJMSKSVKSLSLESMSMRSNSENSOSOMSRSURSSSSDSTSTPSVSLVSXSXMSYSYRSZSWZTCTCATDTCDTFATF\
    TGTGOTHTHATJTJKTKTKLTLTLSTMTKMTNTUNTOTONTRTURTTTTOTVTUVTWTWNTZTZAUAUKRUGUGAUKGBRUMUMIUSUSA\
    UYURYUZUZBVAVATVCVCTVEVENVGVGBVIVIRVNVNMVUVUTWFWLFWSWSMXKXKXYEYEMYTMYTZAZAFZMZMBZWZWE\
";

/// The alpha-3 code of an alpha-2 code in upper or lower case. Returns any other text unchanged.
pub fn alpha_3(country: &str) -> &str {
    let [first, second] = *country.as_bytes() else { return country };
    let wanted = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let codes = CODES.as_chunks::<5>().0;
    let found = codes.binary_search_by_key(&wanted, |[a, b, ..]| [*a, *b]);
    let code = found.ok().and_then(|position| codes.get(position)?.get(2..));
    code.and_then(|code| core::str::from_utf8(code).ok()).unwrap_or(country)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_2_codes_become_alpha_3_codes() {
        for (country, means) in [
            ("DE", "DEU"),
            ("fr", "FRA"),
            ("US", "USA"),
            ("AD", "AND"),
            ("ZW", "ZWE"),
            ("UK", "GBR"),
            ("XK", "XKX"),
            ("FRA", "FRA"),
            ("QQ", "QQ"),
            ("D", "D"),
            ("é", "é"),
            ("", ""),
        ] {
            assert_eq!(alpha_3(country), means, "{country}");
        }
    }

    /// The binary search finds each code only if they are in order.
    #[test]
    fn every_code_is_found() {
        let codes = CODES.as_chunks::<5>().0;
        assert_eq!((codes.len(), CODES.len()), (251, 251 * 5));
        for code in codes {
            let text = core::str::from_utf8(code).unwrap();
            assert_eq!(alpha_3(&text[..2]), &text[2..]);
        }
    }
}
