//! What the texts of a catalog must be like, for `where` in `lib.rs`.

use base::address::{is_host, is_plain, parts};
use base::domain::MAX_DOMAIN_BYTES;
use base::limits::{MAX_DATA_NAMES, MAX_DATA_PATH_BYTES, MAX_TEXT_BYTES};
use openrtb::data;
use openrtb::request::SEGTAX;

use crate::check::is_label;
use crate::decode::{ANY, Limit, TextKind, explained, text};

/// A text that is not blank.
pub(crate) const NAME: Limit = text(|text| !text.trim().is_empty(), "a text that is not empty");

/// An absolute URL that is called or opened when the ad is shown.
pub(crate) const URL: Limit = text(is_url, "an absolute URL such as https://…").of(TextKind::Url);

/// An absolute URL that is the same for all requests.
pub(crate) const FIXED_URL: Limit = URL.of(TextKind::Fixed);

/// A text that is the same for all requests.
pub(crate) const FIXED_TEXT: Limit = ANY.of(TextKind::Fixed);

/// HTML.
pub(crate) const HTML: Limit = ANY.of(TextKind::Markup);

/// HTML that is not blank.
pub(crate) const MARKUP: Limit = NAME.of(TextKind::Markup);

/// A VAST or DAAST document.
pub(crate) const VAST: Limit = ANY.of(TextKind::Vast);

/// Words that people read.
pub(crate) const WORDS: Limit = ANY.of(TextKind::Words);

/// A domain without scheme, port and path.
pub(crate) const DOMAIN: Limit = text(is_bare_domain, "a bare domain such as ford.com");

/// A host, perhaps with a port.
pub(crate) const HOST: Limit = text(is_host, "a host such as prebid.example or prebid.example:8443");

/// The hash of a token.
pub(crate) const SHA_256: Limit =
    text(|hash| hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "a SHA-256 hash, 64 hex digits");

/// The last part of an SSP's URL.
pub(crate) const SSP_ID: Limit = text(
    |id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)),
    "only letters, digits, - _ .",
);

/// The macro is written unescaped into URLs, XML, JSON and JSON inside JSON, so it must need no escape in any of them.
pub(crate) const PRICE_MACRO: Limit = text(
    |text| text.bytes().all(|b| b.is_ascii_graphic() && !b"\"'\\<>&".contains(&b)),
    "printable ASCII without spaces, quotes, \\ < > &",
);

/// A name in Prebid Server. `*` stands for all bidders there.
pub(crate) const PREBID_CODE: Limit = text(|code| !["", "*"].contains(&code), "your name in Prebid Server");

/// The extension `dsa_transparency` allows 100 characters, but Prebid Server counts bytes.
pub(crate) const DSA_NAME: Limit =
    text(|name| !name.trim().is_empty() && name.len() <= 100, "a name of 1 to 100 bytes");

/// The id of an advertising network at Apple. Known ids have 22 characters.
pub(crate) const SKADN_NETWORK: Limit = text(is_network, "an id in lower case such as abc123.skadnetwork");

/// An id in the App Store.
pub(crate) const APP_STORE_ID: Limit = text(is_number, "an id of the App Store, digits such as 123456789");

/// The number of a campaign for SKAdNetwork 4.0.
pub(crate) const SOURCE_IDENTIFIER: Limit =
    text(|number| is_from_1(number, 9999), "a number from 1 to 9999 as a string");

/// The number of a campaign for SKAdNetwork 2.0 to 3.0.
pub(crate) const SKADN_CAMPAIGN: Limit = text(|number| is_from_1(number, 100), "a number from 1 to 100 as a string");

/// The provider of a segment.
pub(crate) const PROVIDER: Limit = text(|text| !text.contains(SEGTAX), "a text without the character U+001F");

/// The path of a value in first-party data.
pub(crate) const DATA_PATH: Limit = explained(data_path);

/// A value in first-party data.
pub(crate) const DATA_VALUE: Limit =
    text(|value| (1..=MAX_TEXT_BYTES).contains(&value.len()), "a text of 1 to 16384 bytes");

/// The address to which a sync call is redirected, with placeholders.
pub(crate) const SYNC_URL: Limit = explained(sync_url);

fn is_url(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    host.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
        && !url.chars().any(|c| c.is_whitespace() || c.is_control())
}

fn is_bare_domain(domain: &str) -> bool {
    domain.contains('.') && domain.len() <= MAX_DOMAIN_BYTES && domain.split('.').all(is_label)
}

fn is_network(id: &str) -> bool {
    let name = id.strip_suffix(".skadnetwork").unwrap_or_default();
    id.len() <= 64 && !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
}

/// Whether the text consists of 1 to 20 digits. Known ids in the App Store have ten.
pub fn is_number(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_from_1(text: &str, most: u32) -> bool {
    is_number(text) && !text.starts_with('0') && text.parse().is_ok_and(|number: u32| number <= most)
}

fn data_path(path: &str) -> Result<(), String> {
    let Some(names) = data::names(path) else {
        let begins = data::OBJECTS.map(|object| format!("{object}.{}", data::EXT_DATA)).join(", ");
        return Err(format!("is no path of first-party data; expected one that begins with one of {begins}"));
    };
    let count = names.clone().count();
    if path.len() > MAX_DATA_PATH_BYTES {
        return Err(format!("has {} bytes; expected at most {MAX_DATA_PATH_BYTES}", path.len()));
    }
    if count > MAX_DATA_NAMES {
        return Err(format!("has {count} names behind ext.data; expected at most {MAX_DATA_NAMES}"));
    }
    if names.into_iter().any(str::is_empty) {
        Err("has an empty name; expected a name before and behind each point".into())
    } else {
        Ok(())
    }
}

/// Values of the call fill the placeholders, so the host must not contain one: no call may choose another host.
fn sync_url(url: &str) -> Result<(), String> {
    /// The placeholder of our id, which is required, and those of the call's privacy signals.
    const PLACEHOLDERS: [&str; 6] = ["buyeruid", "gdpr", "gdpr_consent", "gpp", "gpp_sid", "us_privacy"];
    let (host, rest) = parts(url).ok_or("is not an https URL; expected https://…")?;
    if !is_host(host) {
        return Err(format!(
            "has the host {host:?}; expected only letters, digits, - and . in it, and a port if needed"
        ));
    }
    if !is_plain(rest) {
        return Err("has a # or characters that must be escaped; expected a plain URL".to_owned());
    }
    for part in rest.split('{').skip(1) {
        let (name, _) = part.split_once('}').ok_or("has a { without a }; expected both")?;
        if !PLACEHOLDERS.contains(&name) {
            let known = PLACEHOLDERS.join("}, {");
            return Err(format!("has the unknown placeholder {{{name}}}; expected {{{known}}}"));
        }
    }
    if rest.contains("{buyeruid}") { Ok(()) } else { Err("has no {buyeruid}; expected it instead of your id".into()) }
}
