//! Writes XML: elements, CDATA sections and escaped text.

use core::fmt::Write as _;

/// An element with text, as CDATA.
pub(crate) fn element(out: &mut String, name: &str, text: &str) {
    let _ = write!(out, "<{name}>");
    cdata(out, text);
    let _ = write!(out, "</{name}>");
}

/// A CDATA section. A `]]>` in the text is split over two sections.
pub(crate) fn cdata(out: &mut String, text: &str) {
    out.push_str("<![CDATA[");
    out.push_str(&text.replace("]]>", "]]]]><![CDATA[>"));
    out.push_str("]]>");
}

/// Text inside an attribute value or an element.
pub(crate) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}
