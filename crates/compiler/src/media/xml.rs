//! Writes XML: elements whose attributes are escaped and whose texts are CDATA sections.

use core::fmt::Display;

/// An element whose start tag is still open.
pub(crate) struct Element {
    name: &'static str,
    /// The start tag without its end.
    tag: String,
}

impl Element {
    pub(crate) fn new(name: &'static str) -> Element {
        Element { name, tag: format!("<{name}") }
    }

    pub(crate) fn attribute(self, name: &str, value: impl Display) -> Element {
        let tag = format!("{} {name}=\"{}\"", self.tag, escaped(&value.to_string()));
        Element { tag, ..self }
    }

    /// With the attribute, if there is a value.
    pub(crate) fn optional(self, name: &str, value: Option<impl Display>) -> Element {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }

    /// The start tag alone.
    pub(crate) fn open(self) -> String {
        self.tag + ">"
    }

    /// The element with this content, which is XML.
    pub(crate) fn with(self, content: &str) -> String {
        let name = self.name;
        format!("{}{content}</{name}>", self.open())
    }

    /// The element with this text, as CDATA. A `]]>` in the text is split over two sections.
    pub(crate) fn text(self, text: &str) -> String {
        self.with(&format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>")))
    }
}

/// An element for each text that is not empty.
pub(crate) fn each<'t>(name: &'static str, texts: impl IntoIterator<Item = &'t String>) -> String {
    let given = texts.into_iter().filter(|text| !text.is_empty());
    given.map(|text| Element::new(name).text(text)).collect()
}

/// An element around content; nothing without content.
pub(crate) fn around(name: &'static str, content: &str) -> String {
    if content.is_empty() { String::new() } else { Element::new(name).with(content) }
}

/// Text inside an attribute value or an element.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
