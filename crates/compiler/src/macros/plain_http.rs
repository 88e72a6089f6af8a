//! Finds URLs in markup that load over plain HTTP. URLs that are only names, such as XML namespaces, do not count.

/// The first plain-HTTP URL that a text loads, even if the URL is percent-encoded, or hidden from a search of the text by
/// character references, by sections of CDATA or by comments. A long URL is cut for a message. The text is markup, or a
/// JSON string literal that contains markup.
pub fn plain_http(text: &str) -> Option<String> {
    let hidden = || {
        let hides = ["&", "<![CDATA[", "<!--"].iter().any(|mark| text.contains(mark));
        hides.then(|| find(&seen(text)).map(str::to_owned)).flatten()
    };
    find(text).map(str::to_owned).or_else(hidden)
}

/// The text as a reader of markup sees its values: without CDATA marks and comments, and with the characters of
/// references. Browsers take tabs and line breaks out of URLs.
fn seen(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (skipped, shown) = if rest.starts_with("<![CDATA[") {
            (9, None)
        } else if rest.starts_with("]]>") {
            (3, None)
        } else if let Some(comment) = rest.strip_prefix("<!--").and_then(|comment| comment.find("-->")) {
            (comment + 7, None)
        } else if let Some((bytes, referenced)) = rest.strip_prefix('&').and_then(reference) {
            (bytes + 1, Some(referenced).filter(|c| !"\t\n\r".contains(*c)))
        } else {
            (c.len_utf8(), Some(c))
        };
        seen.extend(shown);
        rest = rest.get(skipped..).unwrap_or_default();
    }
    seen
}

/// The bytes of a character reference without its `&`, and its character. Browsers need no semicolon behind digits.
fn reference(text: &str) -> Option<(usize, char)> {
    for (name, c) in [("colon;", ':'), ("Tab;", '\t'), ("NewLine;", '\n')] {
        if text.starts_with(name) {
            return Some((name.len(), c));
        }
    }
    let digits = text.strip_prefix('#')?;
    let (digits, radix) = digits.strip_prefix(['x', 'X']).map_or((digits, 10), |hex| (hex, 16));
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let c = u32::from_str_radix(digits.get(..end)?, radix).ok().and_then(char::from_u32)?;
    let semicolon = usize::from(digits.get(end..).is_some_and(|rest| rest.starts_with(';')));
    Some((text.len() - digits.len() + end + semicolon, c))
}

/// The first plain-HTTP URL that stands in the text as it is.
fn find(text: &str) -> Option<&str> {
    let starts = |at: &usize| {
        let rest = text.as_bytes().get(*at..).unwrap_or_default();
        [&b"http:"[..], b"http%3a"]
            .iter()
            .any(|scheme| rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
    };
    let at = (0..text.len()).filter(starts).find(|at| !is_name(text, *at))?;
    let url = text.get(at..)?;
    let is_end = |(i, c): (usize, char)| (i >= SHOWN || c.is_whitespace() || "\"'\\<>)]".contains(c)).then_some(i);
    let end = url.char_indices().find_map(is_end);
    Some(end.and_then(|end| url.get(..end)).unwrap_or(url))
}

/// The most bytes of a URL that a message shows.
const SHOWN: usize = 60;

/// How many bytes before a URL are searched for its attribute. Start tags of VAST documents are shorter.
const CONTEXT_BYTES: usize = 1024;

/// Attributes whose value is a name: XML namespaces, vocabularies of `RDFa` and microdata, VAST's registries.
const NAMES: [&str; 5] = ["xmlns", "itemtype", "vocab", "prefix", "idregistry"];

/// The start of attributes with a name as value and a custom prefix, e.g. `xmlns:svg`.
const NAMES_PREFIX: &str = "xmlns:";
const NAMES_SUFFIXES: [&str; 2] = [":schemalocation", ":nonamespaceschemalocation"];

/// Attributes whose value always loads.
const LOADING: [&str; 7] = ["src", "srcset", "href", "xlink:href", "data", "poster", "action"];

/// Namespaces that scripts use to create elements. Outside of attributes they count as names.
const NAMESPACES: [&str; 6] = [
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/1999/xlink",
    "http://www.w3.org/1998/math/mathml",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/2000/xmlns/",
    "http://www.w3.org/xml/1998/namespace",
];

/// Whether the URL at this position is only a name.
fn is_name(text: &str, at: usize) -> bool {
    let start = text.floor_char_boundary(at.saturating_sub(CONTEXT_BYTES));
    let end = text.floor_char_boundary(text.len().min(at + CONTEXT_BYTES));
    let before = unescaped(text.get(start..at).unwrap_or_default());
    let tag = before.rfind('<').and_then(|tag| before.get(tag + 1..)).filter(|tag| !tag.contains('>'));
    if tag.is_some_and(|tag| tag.starts_with("!doctype")) {
        return true;
    }
    match tag.and_then(attribute) {
        Some(name) if is_name_attribute(name) => true,
        Some(name) if LOADING.contains(&name) => false,
        _ => {
            let url = unescaped(text.get(at..end).unwrap_or_default());
            let url = url.split(|c: char| c.is_whitespace() || "\"'<>)],;&".contains(c)).next();
            url.is_some_and(|url| NAMESPACES.contains(&url))
        }
    }
}

fn is_name_attribute(name: &str) -> bool {
    NAMES.contains(&name)
        || name.starts_with(NAMES_PREFIX)
        || NAMES_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

/// The attribute whose value starts or continues at the end of this part of a start tag.
fn attribute(tag: &str) -> Option<&str> {
    let unquoted = tag.strip_suffix('=');
    let quoted = || tag.get(..tag.rfind(['"', '\''])?)?.trim_end().strip_suffix('=');
    unquoted.or_else(quoted)?.split_whitespace().next_back()
}

/// The text in lower case, without the escapes of JSON strings and URLs.
fn unescaped(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (plain, length) = match c {
            '\\' if rest.starts_with("\\n") || rest.starts_with("\\r") || rest.starts_with("\\t") => (Some(' '), 2),
            '\\' => (None, 1),
            '%' => match rest.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(u8::is_ascii) {
                Some(byte) => (Some(char::from(byte)), 3),
                None => (Some('%'), 1),
            },
            other => (Some(other), other.len_utf8()),
        };
        unescaped.extend(plain.map(|c| c.to_ascii_lowercase()));
        rest = rest.get(length..).unwrap_or_default();
    }
    unescaped
}

#[cfg(test)]
mod tests {
    use super::plain_http;
    use base::json::literal;

    #[test]
    fn urls_that_are_only_names_do_not_count() {
        for text in [
            r#"<VAST version="4.0" xmlns="http://www.iab.com/VAST">"#,
            r#"<VAST xmlns:xs="http://www.w3.org/2001/XMLSchema" version="3.0">"#,
            r"<VAST xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:noNamespaceSchemaLocation = 'http://x.example/vast.xsd'>",
            "<VAST\n\txsi:schemaLocation=\"http://www.iab.com/VAST\n http://www.iab.com/vast4.xsd\">",
            r#"<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><b>"#,
            r"<!doctype svg SYSTEM 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>",
            "<svg xmlns=http://www.w3.org/2000/svg width=1>",
            r#"<script>document.createElementNS("http://www.w3.org/2000/svg", "g")</script>"#,
            r#"<div style="background:url('data:image/svg+xml,%3Csvg xmlns=%22http%3A%2F%2Fwww.w3.org%2F2000%2Fsvg%22/%3E')">"#,
            r#"<iframe srcdoc="&lt;svg xmlns=&quot;http://www.w3.org/2000/svg&quot;&gt;">"#,
            r#"<div itemscope itemtype="http://schema.org/Product">"#,
            r#"<UniversalAdId idRegistry="http://www.ad-id.org">8465</UniversalAdId>"#,
        ] {
            for (text, nesting) in [(text.to_owned(), 0), (literal(text), 1), (literal(&literal(text)), 2)] {
                assert_eq!(plain_http(&text), None, "{nesting}: {text}");
            }
        }
    }

    #[test]
    fn a_url_that_only_a_reader_of_markup_sees_is_found() {
        for text in [
            r#"<img src="http&#58;//x.example/1">"#,
            r#"<img src="&#x68;t&#84p&#X3A;//x.example/1">"#,
            r#"<img src="ht&Tab;tp&colon;//x.example/1">"#,
            r#"<img src="ht&#10;tp://x.example/1">"#,
            "<MediaFile>http&#58;//x.example/1</MediaFile>",
            "<MediaFile><![CDATA[ht]]><![CDATA[tp://x.example/1]]></MediaFile>",
            "<MediaFile>ht<!-- a -->tp:<![CDATA[//x.example/1]]></MediaFile>",
        ] {
            for text in [text.to_owned(), literal(text)] {
                let found = plain_http(&text).unwrap_or_default();
                assert!(found.eq_ignore_ascii_case("http://x.example/1"), "{text}: {found}");
            }
        }
        for text in
            ["a &amp; b &#; &#x; &#999999999; &colon", "<b title='&#104;ttps://x.example'>", "<![CDATA[https:]]>"]
        {
            assert_eq!(plain_http(text), None, "{text}");
        }
    }

    #[test]
    fn a_url_that_loads_is_found_beside_names() {
        let name = r#"<svg xmlns="http://www.w3.org/2000/svg">"#;
        for (text, url) in [
            (r#"<img src="HTTP://x.example/1">"#, "HTTP://x.example/1"),
            (r"<image xlink:href='http://x.example/1'/>", "http://x.example/1"),
            (r#"<script src="http://www.w3.org/2000/svg"></script>"#, "http://www.w3.org/2000/svg"),
            (r#"<script>load("http://www.w3.org/2000/svg/1.js")</script>"#, "http://www.w3.org/2000/svg/1.js"),
            ("<MediaFile><![CDATA[http://x.example/1.mp4]]></MediaFile>", "http://x.example/1.mp4"),
            (r#"<b data-xmlns="http://x.example/1">"#, "http://x.example/1"),
            (r#"xmlns="http://x.example/1""#, "http://x.example/1"),
            (r#"<b title="xmlns=" src="http://x.example/1">"#, "http://x.example/1"),
            (r#"<!DOCTYPE a [<!ENTITY b SYSTEM "http://x.example/1">]>"#, "http://x.example/1"),
            (r#"<a href="https://x.example/?to=http%3A%2F%2Fy.example">"#, "http%3A%2F%2Fy.example"),
        ] {
            for text in [text.to_owned(), format!("{name}{text}"), format!("{text}{name}")] {
                assert_eq!(plain_http(&text).as_deref(), Some(url), "{text}");
                assert_eq!(plain_http(&literal(&text)).as_deref(), Some(url), "{text} as a literal");
            }
        }
    }
}
