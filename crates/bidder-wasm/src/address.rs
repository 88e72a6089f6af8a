//! Addresses that a person's browser is sent to, in the one spelling that all browsers read alike.

/// The host of an `https` address, with its port if it has one, and what stands behind it. `None` for any other address.
/// The host is as it stands there: see [`is_host`].
#[must_use]
pub fn parts(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("https://")?;
    Some(rest.split_at_checked(rest.find(['/', '?']).unwrap_or(rest.len())).unwrap_or((rest, "")))
}

/// Whether it is a name of letters, digits, `-` and single dots, and perhaps a port.
#[must_use]
pub fn is_host(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    name.split('.').all(is_label) && port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Whether it can stand behind a host as it is: it has no fragment, and nothing that has to be escaped.
#[must_use]
pub fn is_plain(rest: &str) -> bool {
    rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'\\<>^`#".contains(&byte))
}
