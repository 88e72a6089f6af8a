//! Compares the pass with the reference over generated and changed messages: both store the same slots, or both refuse
//! the message.

mod reference;

use bumpalo::Bump;

use super::{Fields, Message, Pass, Texts};
use crate::read::Needs;
use crate::read::objects::BidRequest;
use crate::read::pass::Padded;
use crate::read::size_limit::SizeLimit;
use crate::read::slot::{Slot, Slots};
use reference::Reference;

/// All that a pass stores, and whether it left something out. `None` if the message is malformed.
type Stored = Option<(Vec<Slot>, Vec<u8>, bool)>;

/// Panics if the pass and the reference do not agree on a body.
#[allow(unreachable_pub, clippy::missing_panics_doc, reason = "fuzzing calls it; to panic is its purpose")]
pub fn check(body: &[u8], needs: Needs) {
    // The bytes behind a body must not matter.
    let mut buffer = [body, &[b'1'; 40]].concat();
    let arena = Bump::new();
    let passed = stored(&Padded::within(&mut buffer, body.len()), needs, &arena);
    assert_eq!(passed, referred(body, needs), "{}", body.escape_ascii());
}

fn stored(body: &Padded<'_>, needs: Needs, arena: &Bump) -> Stored {
    let (mut slots, size_limit) = (Slots::default(), &SizeLimit::default());
    slots.clear();
    let root = slots.add_block(BidRequest::SLOTS);
    let message = Message::whole(body);
    let texts = Texts::new(message.len(), arena);
    let mut pass = Pass { fields: &Fields::new(&needs), slots: &mut slots, texts, size_limit };
    pass.message(message, BidRequest::KIND, root)?;
    let texts = pass.texts.checked()?.all();
    Some((all(&slots), texts.to_vec(), size_limit.is_exceeded()))
}

fn referred(body: &[u8], needs: Needs) -> Stored {
    let size_limit = &SizeLimit::default();
    let mut reference = Reference { needs, slots: Slots::default(), texts: b"\"".to_vec(), size_limit };
    reference.slots.clear();
    let root = reference.slots.add_block(BidRequest::SLOTS);
    reference.message(body, BidRequest::KIND, root)?;
    core::str::from_utf8(&reference.texts).ok()?;
    Some((all(&reference.slots), reference.texts, size_limit.is_exceeded()))
}

fn all(slots: &Slots) -> Vec<Slot> {
    (0..slots.len()).map(|index| slots.get(index)).collect()
}

#[cfg(test)]
mod generated {
    use super::check;
    use crate::read::Needs;
    use crate::read::objects::BidRequest;
    use crate::read::rows::{Kind, ProtobufType};
    use proptest::prelude::*;

    /// Numbers that decide what a message has. Without numbers left, nothing more is in it.
    struct Choices(std::vec::IntoIter<u16>);

    impl Choices {
        fn below(&mut self, count: usize) -> usize {
            usize::from(self.0.next().unwrap_or_default()) % count
        }

        fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
            values[self.below(values.len())]
        }
    }

    fn varint(mut value: u64, out: &mut Vec<u8>) {
        while value > 0x7f {
            out.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
            value >>= 7;
        }
        out.push(u8::try_from(value).unwrap());
    }

    fn with_length(bytes: &[u8], out: &mut Vec<u8>) {
        varint(bytes.len() as u64, out);
        out.extend(bytes);
    }

    const INTEGERS: &[u64] = &[0, 1, 127, 128, 300, 1 << 14, 1 << 31, 1 << 32, u64::MAX];
    const TEXTS: &[&[u8]] = &[b"", b"a", b"fifteen letters", b"sixteen letters_", b"more than sixteen letters"];
    const RARE_TEXTS: &[&[u8]] = &["é".as_bytes(), b"\xc3", b"\xa9", b"\xff"];

    /// A message with fields of all rows in any order. One in a hundred fields has what no encoder writes.
    fn message(kind: &Kind, choices: &mut Choices, out: &mut Vec<u8>) {
        while !kind.attributes.is_empty() && choices.below(12) > 0 {
            let row = &kind.attributes[choices.below(kind.attributes.len())];
            let Some(number) = row.numbers.get(kind.variant) else { continue };
            if choices.below(100) == 1 {
                let number = choices.one_of(&[0, number.field.into(), 60, 127, 128, (1 << 29) - 1, 1 << 29]);
                varint(number << 3 | choices.below(8) as u64, out);
                out.extend_from_slice(choices.one_of(&[b"", b"\0", b"\x01", b"\x80\0", &[0; 8], &[0x80; 11]]));
                continue;
            }
            let is_text = number.as_text > 0 && choices.below(2) == 0;
            let takes = if is_text { ProtobufType::Text } else { row.protobuf };
            let tag = u64::from(if is_text { number.as_text } else { number.field }) << 3;
            for _ in 0..=choices.below(3) {
                match takes {
                    ProtobufType::Integer | ProtobufType::Bool => {
                        varint(tag, out);
                        varint(choices.one_of(INTEGERS), out);
                    }
                    ProtobufType::Integers if choices.below(2) == 0 => {
                        varint(tag, out);
                        varint(choices.one_of(INTEGERS), out);
                    }
                    ProtobufType::Integers => {
                        let mut packed = Vec::new();
                        for _ in 0..choices.below(4) {
                            varint(choices.one_of(INTEGERS), &mut packed);
                        }
                        varint(tag | 2, out);
                        with_length(&packed, out);
                    }
                    ProtobufType::Double => {
                        varint(tag | 1, out);
                        out.extend(choices.one_of(INTEGERS).to_le_bytes());
                    }
                    ProtobufType::Text | ProtobufType::Texts => {
                        let texts = if choices.below(200) == 1 { RARE_TEXTS } else { TEXTS };
                        varint(tag | 2, out);
                        with_length(choices.one_of(texts), out);
                    }
                    ProtobufType::Message | ProtobufType::Messages => {
                        let mut inner = Vec::new();
                        message(Kind::of(row.kind).unwrap(), choices, &mut inner);
                        varint(tag | 2, out);
                        with_length(&inner, out);
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn the_pass_and_the_reference_agree(
            choices in prop::collection::vec(any::<u16>(), 0..800),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
            everything: bool,
        ) {
            let mut body = Vec::new();
            message(Kind::of(BidRequest::KIND).unwrap(), &mut Choices(choices.into_iter()), &mut body);
            let needs = if everything { Needs::ALL } else { Needs::default() };
            check(&body, needs);
            if let Some(cut) = cut {
                body.truncate(cut.index(body.len() + 1));
            }
            for (at, byte) in changes {
                if !body.is_empty() {
                    *at.get_mut(&mut body[..]) = byte;
                }
            }
            check(&body, needs);
        }
    }

    /// Lists in turns move, which soon exceeds the limit; one long list exceeds it at its end.
    #[test]
    fn they_agree_above_the_size_limit() {
        let text = |number: u8| [number << 3 | 2, 1, b'a'];
        for items in [100, 20_000] {
            check(&text(12).repeat(items), Needs::ALL);
            check(&[text(12), text(9)].concat().repeat(items), Needs::ALL);
            check(&[text(12), text(9), text(9)].concat().repeat(items), Needs::ALL);
            check(&[2 << 3 | 2, 0].repeat(items), Needs::ALL);
        }
    }
}
