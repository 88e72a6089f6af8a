//! Encodes an answer as protobuf (`BidResponse` of the IAB Tech Lab's `openrtb.proto` for OpenRTB 2.6).
//!
//! It reads the JSON that [`super::bids`] or [`super::no_bid`] wrote, and only that JSON. So every rule about an answer
//! is in one place, and signatures are in it already. Members that `openrtb.proto` does not have are left out: of
//! `bid.ext`, only `skadn` and `dsa` remain.

use bumpalo::Bump;

use base::money::{Micros, Rounding};
use openrtb::read::{integer, unescaped};

/// The protobuf type of a member. Lists have the type of their items.
#[derive(Clone, Copy)]
enum Type {
    Text,
    /// `int32` or `bool`.
    Integer,
    Double,
    Message(Fields),
}

/// The members of an object: name, field number and type.
type Fields = &'static [(&'static str, u8, Type)];

const RESPONSE: Fields = &[
    ("id", 1, Type::Text),
    ("seatbid", 2, Type::Message(SEATBID)),
    ("bidid", 3, Type::Text),
    ("cur", 4, Type::Text),
    ("nbr", 6, Type::Integer),
];

const SEATBID: Fields = &[("bid", 1, Type::Message(BID)), ("seat", 2, Type::Text)];

const BID: Fields = &[
    ("id", 1, Type::Text),
    ("impid", 2, Type::Text),
    ("price", 3, Type::Double),
    ("adid", 4, Type::Text),
    ("nurl", 5, Type::Text),
    ("adm", 6, Type::Text),
    ("adomain", 7, Type::Text),
    ("iurl", 8, Type::Text),
    ("cid", 9, Type::Text),
    ("crid", 10, Type::Text),
    ("attr", 11, Type::Integer),
    ("dealid", 13, Type::Text),
    ("bundle", 14, Type::Text),
    ("cat", 15, Type::Text),
    ("w", 16, Type::Integer),
    ("h", 17, Type::Integer),
    ("api", 18, Type::Integer),
    ("protocol", 19, Type::Integer),
    ("qagmediarating", 20, Type::Integer),
    ("exp", 21, Type::Integer),
    ("burl", 22, Type::Text),
    ("lurl", 23, Type::Text),
    ("tactic", 24, Type::Text),
    ("language", 25, Type::Text),
    ("wratio", 26, Type::Integer),
    ("hratio", 27, Type::Integer),
    ("slotinpod", 28, Type::Integer),
    ("langb", 29, Type::Text),
    ("cattax", 30, Type::Integer),
    ("apis", 31, Type::Integer),
    ("dur", 32, Type::Integer),
    ("mtype", 33, Type::Integer),
    ("ext", 99, Type::Message(BID_EXT)),
];

const BID_EXT: Fields = &[("skadn", 1, Type::Message(SKADN)), ("dsa", 2, Type::Message(DSA))];

const SKADN: Fields = &[
    ("version", 1, Type::Text),
    ("network", 2, Type::Text),
    ("campaign", 3, Type::Text),
    ("itunesitem", 4, Type::Text),
    ("nonce", 5, Type::Text),
    ("sourceapp", 6, Type::Text),
    ("timestamp", 7, Type::Text),
    ("signature", 8, Type::Text),
    ("fidelities", 9, Type::Message(FIDELITY)),
    ("sourceidentifier", 10, Type::Text),
];

const FIDELITY: Fields = &[
    ("fidelity", 1, Type::Integer),
    ("nonce", 2, Type::Text),
    ("timestamp", 3, Type::Text),
    ("signature", 4, Type::Text),
];

const DSA: Fields = &[
    ("behalf", 1, Type::Text),
    ("paid", 2, Type::Text),
    ("transparency", 3, Type::Message(TRANSPARENCY)),
    ("adrender", 4, Type::Integer),
];

const TRANSPARENCY: Fields = &[("domain", 1, Type::Text), ("dsaparams", 2, Type::Integer)];

/// The wire types of the encoding.
const VARINT: u8 = 0;
const EIGHT_BYTES: u8 = 1;
const LENGTH: u8 = 2;

/// Appends an answer as protobuf. `arena` is working memory for texts. `None` if `answer` is not the JSON of an answer;
/// the appended bytes are then useless.
pub fn encoded(answer: &str, arena: &Bump, out: &mut Vec<u8>) -> Option<()> {
    let mut encoder = Encoder { rest: answer, arena, out };
    encoder.object(RESPONSE)?;
    encoder.rest.is_empty().then_some(())
}

/// Moves through JSON without whitespace, and appends what it finds.
struct Encoder<'t, 'o> {
    rest: &'t str,
    arena: &'t Bump,
    out: &'o mut Vec<u8>,
}

impl<'t> Encoder<'t, '_> {
    /// An object with these members.
    fn object(&mut self, fields: Fields) -> Option<()> {
        self.list('{', '}', |encoder| {
            let name = encoder.string()?;
            encoder.take(':')?;
            let field = fields.iter().find(|(known, ..)| *known == name);
            let Some((_, number, field_type)) = field else { return encoder.skip() };
            encoder.member(*number, *field_type)
        })
    }

    /// The value of a member.
    fn member(&mut self, number: u8, field_type: Type) -> Option<()> {
        if !self.rest.starts_with('[') {
            return self.field(number, field_type);
        }
        if !matches!(field_type, Type::Integer) {
            return self.list('[', ']', |encoder| encoder.field(number, field_type));
        }
        // Numbers of a list are packed into one field.
        self.tag(number, LENGTH);
        self.with_length(|encoder| encoder.list('[', ']', Self::integer))
    }

    /// A value that is not a list.
    fn field(&mut self, number: u8, field_type: Type) -> Option<()> {
        match field_type {
            Type::Text => {
                let text = unescaped(self.string()?, self.arena);
                self.tag(number, LENGTH);
                self.varint(text.len() as u64);
                self.out.extend_from_slice(text.as_bytes());
                Some(())
            }
            Type::Integer => {
                self.tag(number, VARINT);
                self.integer()
            }
            Type::Double => {
                self.tag(number, EIGHT_BYTES);
                let Micros(micros) = Micros::parse(self.number(), Rounding::Down)?;
                // The only price in a binary float, because the field has this type. The quotient of two integers below
                // 2^53 is the double that is nearest to the decimal, so its shortest decimal is the price again.
                #[allow(clippy::cast_precision_loss, reason = "no price is over 2^53 micros")]
                let price = micros as f64 / 1_000_000.0;
                self.out.extend_from_slice(&price.to_le_bytes());
                Some(())
            }
            Type::Message(fields) => {
                self.tag(number, LENGTH);
                self.with_length(|encoder| encoder.object(fields))
            }
        }
    }

    fn integer(&mut self) -> Option<()> {
        let value = integer(self.number())?;
        self.varint(value.cast_unsigned());
        Some(())
    }

    /// Appends the bytes of `write`, with their length before them.
    fn with_length(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let from = self.out.len();
        write(self)?;
        let behind = self.out.len();
        self.varint((behind - from) as u64);
        let length_bytes = self.out.len() - behind;
        self.out.get_mut(from..)?.rotate_right(length_bytes);
        Some(())
    }

    fn tag(&mut self, number: u8, wire_type: u8) {
        self.varint(u64::from(number) << 3 | u64::from(wire_type));
    }

    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.out.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.out.push(value.to_le_bytes()[0]);
    }

    /// Calls `item` for each entry between two brackets.
    fn list(&mut self, open: char, close: char, item: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(',').is_none() {
                return self.take(close);
            }
        }
    }

    fn take(&mut self, character: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(character)?;
        Some(())
    }

    /// The text between the quotes of a string, with its escapes.
    fn string(&mut self) -> Option<&'t str> {
        let text = self.rest.strip_prefix('"')?;
        let mut at = 0;
        loop {
            at += text.get(at..)?.find(['"', '\\'])?;
            if text.as_bytes().get(at) == Some(&b'"') {
                break;
            }
            at += 2;
        }
        self.rest = text.get(at + 1..)?;
        text.get(..at)
    }

    /// The text of a number; empty if something else follows.
    fn number(&mut self) -> &'t str {
        let end = self.rest.find([',', '}', ']']).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        number
    }

    /// Skips any value.
    fn skip(&mut self) -> Option<()> {
        match self.rest.chars().next()? {
            '"' => drop(self.string()?),
            '[' => self.list('[', ']', Self::skip)?,
            '{' => self.object(&[])?,
            _ => drop(self.number()),
        }
        Some(())
    }
}
