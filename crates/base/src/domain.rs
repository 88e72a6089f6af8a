//! Compares domains: a listed domain includes its subdomains, and case does not matter. An international domain is the
//! same as its `xn--` form.

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

/// Whether the text is only a name, with or without dots around it. Nearly all texts are, so it reads all bytes without
/// a branch.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |is_plain, byte| is_plain & NAME_BYTES.get(usize::from(byte)).copied().unwrap_or_default())
}

/// Whether a byte is a letter, a digit, a hyphen or a dot.
#[allow(clippy::indexing_slicing, reason = "runs only in the compiler")]
static NAME_BYTES: [bool; 256] = {
    let mut are = [false; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        are[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
        byte += 1;
    }
    are
};

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
    let is_one = is_plain(entry);
    let several = (!is_one).then(|| entry.split([',', ';', '|', ' ', '\t', '\r', '\n']).map(host));
    let one = is_one.then(|| entry.trim_matches('.'));
    one.into_iter().chain(several.into_iter().flatten()).filter(|host| !host.is_empty())
}

/// The domain without a leading `www.`.
pub fn strip_www(domain: &str) -> &str {
    match domain.split_at_checked(4) {
        Some((start, rest)) if start.eq_ignore_ascii_case("www.") => rest,
        _ => domain,
    }
}

/// Writes a text with one or more domains, with the `xn--` form (RFC 3492) of each label that is not ASCII. Latin,
/// Greek and Cyrillic letters become lower case. Nothing else is normalised.
pub fn to_ascii(text: &str, mut push: impl FnMut(char)) {
    let is_dot = |c: char| matches!(c, '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let is_outside = |c: char| is_dot(c) || c.is_ascii() && !c.is_ascii_alphanumeric() && c != '-';
    for piece in text.split_inclusive(is_outside) {
        let label = piece.trim_end_matches(is_outside);
        if label.is_ascii() || !push_punycode(label, &mut push) {
            label.chars().for_each(&mut push);
        }
        let behind = piece.get(label.len()..).unwrap_or_default();
        behind.chars().for_each(|c| push(if is_dot(c) { '.' } else { c }));
    }
}

/// The most characters of a label (RFC 1035 §2.3.4).
const MAX_LABEL: usize = 63;

/// Writes a label in its `xn--` form. False if it is longer than any label.
fn push_punycode(label: &str, push: &mut impl FnMut(char)) -> bool {
    let mut points = ['-'; MAX_LABEL];
    let mut length = 0;
    for c in label.chars().map(small) {
        let Some(point) = points.get_mut(length) else { return false };
        (*point, length) = (c, length + 1);
    }
    let points = points.get(..length).unwrap_or_default();
    "xn--".chars().for_each(&mut *push);
    let mut written: u32 = 0;
    for c in points.iter().filter(|c| c.is_ascii()) {
        push(*c);
        written += 1;
    }
    if written > 0 {
        push('-');
    }
    // RFC 3492 §6.3. A label is so short that nothing overflows.
    let (mut least, mut delta, mut bias, mut is_first) = (0x80, 0, 72, true);
    while let Some(next) = points.iter().map(|c| u32::from(*c)).filter(|point| *point >= least).min() {
        delta += (next - least) * (written + 1);
        for point in points.iter().map(|c| u32::from(*c)) {
            if point < next {
                delta += 1;
            } else if point == next {
                push_delta(delta, bias, push);
                written += 1;
                bias = adapted(delta, written, is_first);
                (delta, is_first) = (0, false);
            }
        }
        (least, delta) = (next + 1, delta + 1);
    }
    true
}

/// The lower case of a Latin, Greek or Cyrillic letter. Tables for all scripts would add 12 KB to the module.
fn small(c: char) -> char {
    let small = match c {
        'À'..='Þ' | 'Α'..='Ω' | 'А'..='Я' => u32::from(c) + 32,
        'Ѐ'..='Џ' => u32::from(c) + 80,
        'Ā'..='ķ' | 'Ŋ'..='ŷ' => u32::from(c) | 1,
        'Ĺ'..='ň' | 'Ź'..='ž' => u32::from(c) + u32::from(c) % 2,
        _ => return c.to_ascii_lowercase(),
    };
    char::from_u32(small).unwrap_or(c)
}

fn push_delta(delta: u32, bias: u32, push: &mut impl FnMut(char)) {
    let (mut rest, mut at) = (delta, 36_u32);
    loop {
        let threshold = at.saturating_sub(bias).clamp(1, 26);
        let is_last = rest < threshold;
        let digit = if is_last { rest } else { threshold + (rest - threshold) % (36 - threshold) };
        push(char::from_digit((digit + 10) % 36, 36).unwrap_or_default());
        if is_last {
            return;
        }
        (rest, at) = ((rest - threshold) / (36 - threshold), at + 36);
    }
}

fn adapted(delta: u32, written: u32, is_first: bool) -> u32 {
    let delta = if is_first { delta / 700 } else { delta / 2 };
    let (mut delta, mut bias) = (delta + delta / written, 0);
    while delta > 455 {
        (delta, bias) = (delta / 35, bias + 36);
    }
    bias + 36 * delta / (delta + 38)
}

/// The domain and its parents: `a.b.c`, `b.c`, `c`.
pub fn and_parents(domain: &str) -> impl Iterator<Item = &str> {
    // Skip the part that is beyond the length of any domain name, so that a long text costs no time.
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
    fn international_labels_get_their_ascii_form() {
        for (text, ascii) in [
            ("a.example", "a.example"),
            ("münchen.example", "xn--mnchen-3ya.example"),
            (
                "https://www.MÜNCHEN.example/, bücher.example",
                "https://www.xn--mnchen-3ya.example/, xn--bcher-kva.example",
            ),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("ПРАВДА.рф", "xn--80aafi6cg.xn--p1ai"),
            ("ŁÓDŹ.example", "xn--d-uga0v4h.example"),
            ("правда.рф", "xn--80aafi6cg.xn--p1ai"),
            ("faß.de", "xn--fa-hia.de"),
            ("☃.net", "xn--n3h.net"),
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("Pročprostěnemluvíčesky", "xn--proprostnemluvesky-uyb24dma41a"),
            ("3年B組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
        ] {
            let mut written = String::new();
            to_ascii(text, |c| written.push(c));
            assert_eq!(written, ascii, "{text}");
        }
        let long = "ü".repeat(MAX_LABEL + 1);
        let mut written = String::new();
        to_ascii(&long, |c| written.push(c));
        assert_eq!(written, long);
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
