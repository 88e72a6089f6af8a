//! Reads the values of a JSON text with serde-json-wasm.
//!
//! serde-json-wasm has no floats, does not check scalars that it skips, and takes no context. `quote.rs` and [`Root`]
//! solve this. There is only one deserializer type, so the module contains only one copy of this code.

use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::attribute::Attribute;
use super::finding::Context;
use super::quote::DECIMAL_MARK;
use super::value::{ItemSink, Items, MemberSink, Members, Value};

/// A whole document and its findings.
pub(super) struct Root<T> {
    pub(super) value: Option<T>,
    pub(super) cx: Context,
}

impl<'de, T: Attribute> serde::Deserialize<'de> for Root<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut root = Root { value: None, cx: Context::default() };
        let mut sink = |value: Value<'_>, cx: &mut Context| root.value = T::decode(value, cx);
        Reader { cx: &mut root.cx, sink: &mut sink }.deserialize(deserializer)?;
        Ok(root)
    }
}

/// Passes one value to `sink`.
struct Reader<'r> {
    cx: &'r mut Context,
    sink: &'r mut ItemSink<'r>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        (self.sink)(Value::Null, self.cx);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        (self.sink)(Value::Bool(value), self.cx);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        (self.sink)(Value::Integer(number), self.cx);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        let value = i64::try_from(number).map_or_else(|_| Value::Decimal(number.to_string()), Value::Integer);
        (self.sink)(value, self.cx);
        Ok(())
    }

    /// A string without escapes: only such a string can start with the unescaped mark.
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        let value = match text.strip_prefix(DECIMAL_MARK) {
            Some(number) => Value::Decimal(number.to_string()),
            None => Value::Text(text.to_string()),
        };
        (self.sink)(value, self.cx);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        (self.sink)(Value::Text(text.to_string()), self.cx);
        Ok(())
    }

    fn visit_string<E>(self, text: String) -> Result<(), E> {
        (self.sink)(Value::Text(text), self.cx);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let mut rest = Rest { access, fault: None };
        (self.sink)(Value::Array(&mut rest), self.cx);
        let Rest { mut access, fault } = rest;
        fault.map_or(Ok(()), Err)?;
        while access.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let mut rest = Rest { access, fault: None };
        (self.sink)(Value::Object(&mut rest), self.cx);
        let Rest { mut access, fault } = rest;
        fault.map_or(Ok(()), Err)?;
        while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

/// The unread part of an open array or object. The first error ends the reading. It is returned when the source closes
/// the array or object.
struct Rest<A, E> {
    access: A,
    fault: Option<E>,
}

impl<'de, A: SeqAccess<'de>> Items for Rest<A, A::Error> {
    fn each(&mut self, cx: &mut Context, sink: &mut ItemSink<'_>) {
        loop {
            let mut item = |value: Value<'_>, cx: &mut Context| sink(value, cx);
            match self.access.next_element_seed(Reader { cx: &mut *cx, sink: &mut item }) {
                Ok(Some(())) => {}
                Ok(None) => return,
                Err(fault) => {
                    self.fault = Some(fault);
                    return;
                }
            }
        }
    }
}

impl<'de, A: MapAccess<'de>> Members for Rest<A, A::Error> {
    fn each(&mut self, cx: &mut Context, sink: &mut MemberSink<'_>) {
        loop {
            let name = match self.access.next_key::<String>() {
                Ok(Some(name)) => name,
                Ok(None) => return,
                Err(fault) => {
                    self.fault = Some(fault);
                    return;
                }
            };
            let mut member = |value: Value<'_>, cx: &mut Context| sink(&name, value, cx);
            if let Err(fault) = self.access.next_value_seed(Reader { cx: &mut *cx, sink: &mut member }) {
                self.fault = Some(fault);
                return;
            }
        }
    }
}
