//! Countries: what exchanges that write two letters mean.

/// Codes of ISO 3166-1, alpha-2 and alpha-3 in one, in their order; besides, `UK` and Kosovo's `XK`, which ISO leaves to users
/// and requests have.
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

/// The alpha-3 code that two letters stand for, in any case of letters; any other text is itself.
#[must_use]
pub(crate) fn alpha_3(country: &str) -> &str {
    let [first, second] = *country.as_bytes() else { return country };
    let wanted = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
    let codes = CODES.as_chunks::<5>().0;
    let found = codes.binary_search_by_key(&wanted, |[a, b, ..]| [*a, *b]);
    let code = found.ok().and_then(|place| codes.get(place)?.get(2..));
    code.and_then(|code| core::str::from_utf8(code).ok()).unwrap_or(country)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_mean_three() {
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

    /// Each is found, so they are in order.
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
