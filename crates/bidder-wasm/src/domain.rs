//! Compares domains: a listed domain includes its subdomains, and case does not matter.

/// Whether `domain` is `parent` or a subdomain of it. Ignores a leading `www.` of `parent`. Empty texts match nothing.
pub fn is_within(domain: &str, parent: &str) -> bool {
    let parent = strip_www(parent).as_bytes();
    let domain = domain.as_bytes();
    if parent.is_empty() || domain.len() < parent.len() {
        return false;
    }
    let (rest, end) = domain.split_at(domain.len() - parent.len());
    end.eq_ignore_ascii_case(parent) && (rest.is_empty() || rest.ends_with(b"."))
}

/// The host name in a text such as a URL, `host:port/path`, `*.host` or `.host.`. Empty if there is none.
pub fn host(text: &str) -> &str {
    if is_plain(text) { text.trim_matches('.') } else { host_within(text) }
}

/// Whether the text is only a name, with or without dots around it. Nearly all texts are.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.')
}

#[cold]
fn host_within(text: &str) -> &str {
    let text = text.trim();
    let is_scheme = |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let text = match text.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.strip_suffix(':').is_some_and(is_scheme) => rest,
        _ => text,
    };
    let authority = text.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    host.trim_start_matches("*.").trim_matches('.')
}

/// The hosts in an entry of a list. Some exchanges put several in one entry, with commas or spaces between them.
pub fn hosts(entry: &str) -> impl Iterator<Item = &str> {
    let (one, several) = if is_plain(entry) { (entry, "") } else { ("", entry) };
    let several = several.split([',', ';', '|', ' ', '\t', '\r', '\n']).map(host);
    core::iter::once(one.trim_matches('.')).chain(several).filter(|host| !host.is_empty())
}

/// The domain without a leading `www.`.
pub fn strip_www(domain: &str) -> &str {
    match domain.split_at_checked(4) {
        Some((start, rest)) if start.eq_ignore_ascii_case("www.") => rest,
        _ => domain,
    }
}

/// The domain and its parents: `a.b.c`, `b.c`, `c`.
pub fn and_parents(domain: &str) -> impl Iterator<Item = &str> {
    // Skip what is longer than any domain name, so that a long text costs no time.
    let near = domain.len().saturating_sub(MAX_DOMAIN_BYTES);
    let starts = domain.bytes().enumerate().filter(|(_, byte)| *byte == b'.').map(|(dot, _)| dot + 1);
    let starts = core::iter::once(0).chain(starts).skip_while(move |start| *start < near);
    starts.filter_map(|start| domain.get(start..)).filter(|parent| !parent.is_empty())
}

/// The most bytes of a domain name (RFC 1035 §2.3.4).
pub const MAX_DOMAIN_BYTES: usize = 253;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_longer_than_a_domain_name_are_skipped() {
        let long = "a.".repeat(200) + "example";
        let names: Vec<&str> = and_parents(&long).collect();
        assert_eq!(names.iter().map(|name| name.len()).max(), Some(MAX_DOMAIN_BYTES));
        assert_eq!(names.last(), Some(&"example"));
        assert_eq!(and_parents("a.b.example").collect::<Vec<_>>(), ["a.b.example", "b.example", "example"]);
    }

    #[test]
    fn a_host_is_found_in_every_spelling() {
        for (text, expected) in [
            ("news.example", "news.example"),
            ("News.example.", "News.example"),
            (" news.example ", "news.example"),
            ("https://news.example", "news.example"),
            ("https://news.example:8443/a?b=https://other.example#c", "news.example"),
            ("//news.example/a", "news.example"),
            ("news.example/a//b", "news.example"),
            ("news.example/a?b=https://other.example", "news.example"),
            ("news.example?b=https://other.example", "news.example"),
            ("https://user:word@news.example/", "news.example"),
            ("https:\\\\news.example", "https"),
            ("*.news.example", "news.example"),
            (".news.example", "news.example"),
            ("android-app://com.example.app/", "com.example.app"),
            ("bücher.example/", "bücher.example"),
            ("", ""),
            (".", ""),
            ("https://", ""),
            ("/a/b", ""),
        ] {
            assert_eq!(host(text), expected, "{text}");
        }
    }

    #[test]
    fn one_entry_can_hold_several_hosts() {
        let all = |entry| hosts(entry).collect::<Vec<_>>();
        assert_eq!(all("a.example"), ["a.example"]);
        assert_eq!(
            all("a.example, b.example.;https://c.example/d\te.example"),
            ["a.example", "b.example", "c.example", "e.example"]
        );
        assert!(all(" , ").is_empty());
    }

    #[test]
    fn a_domain_includes_its_subdomains_only() {
        for (domain, parent, within) in [
            ("ford.com", "ford.com", true),
            ("FORD.com", "ford.COM", true),
            ("www.ford.com", "ford.com", true),
            ("ford.com", "www.ford.com", true),
            ("shop.ford.com", "ford.com", true),
            ("ford.com", "shop.ford.com", false),
            ("afford.com", "ford.com", false),
            ("ford.com.evil.example", "ford.com", false),
            ("com", "ford.com", false),
            ("ford.com", "", false),
            ("", "ford.com", false),
            ("ford.com", "www.", false),
        ] {
            assert_eq!(is_within(domain, parent), within, "{domain} within {parent}");
        }
    }
}
