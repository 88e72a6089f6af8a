//! A signal that is there and cannot be read is a refusal: no such request gets a personal bid.

use bumpalo::Bump;
use consent::Settings;
use openrtb::read::{Reader, Wants};

/// The positions of flags, as JSON around the value.
const FLAGS: [[&str; 2]; 8] = [
    [r#""regs":{"coppa":"#, "}"],
    [r#""regs":{"gdpr":"#, "}"],
    [r#""regs":{"ext":{"gdpr":"#, "}}"],
    [r#""regs":{"gdpr":0,"ext":{"gdpr":"#, "}}"],
    [r#""regs":{"gpc":"#, "}"],
    [r#""regs":{"ext":{"gpc":"#, "}}"],
    [r#""device":{"dnt":"#, "}"],
    [r#""device":{"lmt":"#, "}"],
];

/// The positions of texts and lists.
const TEXTS: [[&str; 2]; 6] = [
    [r#""regs":{"us_privacy":"#, "}"],
    [r#""regs":{"ext":{"us_privacy":"#, "}}"],
    [r#""regs":{"gpp_sid":"#, "}"],
    [r#""regs":{"ext":{"gpp_sid":"#, "}}"],
    [r#""user":{"consent":"#, "}"],
    [r#""user":{"ext":{"consent":"#, "}}"],
];

/// What is no flag.
const NO_FLAGS: [&str; 12] =
    [r#""true""#, r#""yes""#, r#""Y""#, "[1]", "[0]", "[]", "{}", "2", "33", "-1", "1.5", r#"{"value":0}"#];

/// What is neither a text nor a list of numbers.
const NO_TEXTS: [&str; 5] = ["true", "{}", r#"{"value":"1YNN"}"#, "[{}]", r#"["1YYN"]"#];

fn allows_personal(members: &str) -> bool {
    let (arena, body) = (Bump::new(), format!(r#"{{"id":"r","imp":[{{"id":"1"}}],{members}}}"#));
    let request = Reader::default().read(body.as_bytes(), &Wants::everything("edgebid"), &arena).unwrap();
    super::verdict(&request, &Settings::default()).allows_personal()
}

/// Asserts which requests get a personal bid: each form at each position.
fn check(positions: &[[&str; 2]], forms: &[&str], expected: bool) {
    for [before, behind] in positions {
        for form in forms {
            let members = format!("{before}{form}{behind}");
            assert_eq!(allows_personal(&members), expected, "{members}");
        }
    }
}

#[test]
fn an_unreadable_signal_is_a_refusal() {
    check(&FLAGS, &NO_FLAGS, false);
    check(&TEXTS, &NO_TEXTS, false);
}

#[test]
fn an_absent_or_empty_signal_and_a_readable_no_refuse_nothing() {
    check(&FLAGS, &["0", "false", r#""0""#, "0.0", "null", r#""""#], true);
    check(&TEXTS, &["null", r#""""#], true);
}

#[test]
fn of_two_positions_the_stricter_one_counts() {
    for signal in ["gdpr", "gpc"] {
        for (own, ext) in [(0, 1), (1, 0), (1, 1)] {
            let members = format!(r#""regs":{{"{signal}":{own},"ext":{{"{signal}":{ext}}}}}"#);
            assert!(!allows_personal(&members), "{members}");
        }
    }
}
