//! Messages that no encoder writes.

use base::limits::{MAX_REQUEST_BYTES, MAX_TEXT_BYTES};
use base::money::Micros;
use bumpalo::Bump;
use openrtb::read::{BadRequest, Body, Format, Reader, Wants};
use openrtb::request::Request;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::convert::{Style, encode, varint};
use super::fixture_table::fixtures;
use super::schema::schema;

fn read<'a>(message: &'a [u8], arena: &'a Bump) -> Result<Request<'a>, BadRequest> {
    let body = Body::from(message).encoded_as(Format::Protobuf);
    Reader::default().read(body, &Wants::everything(""), arena)
}

fn encoded(request: &Value) -> Vec<u8> {
    encode(&schema(), "BidRequest", request, Style::default(), &mut Vec::new())
}

/// Messages of many kinds: the largest fixtures.
fn messages() -> Vec<Vec<u8>> {
    let mut messages: Vec<Vec<u8>> = fixtures()
        .iter()
        .filter_map(|fixture| serde_json::from_slice::<Value>(&fixture.request).ok().filter(Value::is_object))
        .map(|request| encoded(&request))
        .collect();
    messages.sort_by_key(|message| std::cmp::Reverse(message.len()));
    messages.truncate(40);
    messages
}

/// A field with a length.
fn field(number: u64, bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    varint(number << 3 | 2, &mut field);
    varint(bytes.len() as u64, &mut field);
    field.extend(bytes);
    field
}

/// A request with the id 1 and an impression with the id 1, and more fields.
fn with(more: &[u8]) -> Vec<u8> {
    [&field(1, b"1")[..], &field(2, &field(1, b"1")), more].concat()
}

#[test]
fn a_message_that_ends_too_early_is_refused() {
    let arena = Bump::new();
    for message in messages() {
        assert!(read(&message, &arena).is_ok());
        for length in 0..message.len() {
            // A message may end after any of its fields.
            if let Err(bad) = read(&message[..length], &arena) {
                let is_known = matches!(bad, BadRequest::NotProtobuf | BadRequest::MissingId | BadRequest::MissingImp);
                assert!(is_known, "{bad:?}");
            }
        }
        assert_eq!(read(&message[..message.len() - 1], &arena).err(), Some(BadRequest::NotProtobuf));
    }
}

/// In protobuf, each number but 0 is true for a `bool`: <https://protobuf.dev/programming-guides/encoding/>.
#[test]
fn a_bool_is_true_for_every_number_but_0() {
    let bool = |number: u64, value: u64| {
        let mut bytes = Vec::new();
        varint(number << 3, &mut bytes);
        varint(value, &mut bytes);
        bytes
    };
    for (value, expected) in [(0, false), (1, true), (2, true), (1 << 32, true), (u64::MAX, true)] {
        let imp = [&field(1, b"1")[..], &bool(12, value), &field(11, &bool(1, value))].concat();
        let regs = [bool(1, value), bool(4, value)].concat();
        let device = [bool(1, value), bool(23, value)].concat();
        let message =
            [&field(1, b"1")[..], &field(2, &imp), &bool(15, value), &field(14, &regs), &field(5, &device)].concat();
        let arena = Bump::new();
        let Request { imp, test, regs, device, .. } = read(&message, &arena).unwrap();
        let found = [imp[0].secure, imp[0].private_auction, test, regs.coppa, device.dnt, device.lmt];
        assert_eq!((found, regs.gdpr), ([expected; 6], Some(expected)), "{value}");
    }
}

#[test]
fn malformed_messages_are_refused() {
    let arena = Bump::new();
    assert!(read(&with(b""), &arena).is_ok());
    assert_eq!(read(b"", &arena).err(), Some(BadRequest::MissingId));
    assert_eq!(read(&field(1, b"1"), &arena).err(), Some(BadRequest::MissingImp));
    assert_eq!(read(br#"{"id":"1","imp":[{"id":"1"}]}"#, &arena).err(), Some(BadRequest::NotProtobuf));
    assert_eq!(read(&vec![0; MAX_REQUEST_BYTES + 1], &arena).err(), Some(BadRequest::TooLarge));
    for (what, more) in [
        ("a group", &[40 << 3 | 3, 40 << 3 | 4][..]),
        ("the end of a group", &[0xc4, 0x02]),
        ("wire type 6", &[0x3e, 1]),
        ("wire type 7", &[0x3f, 1]),
        ("the field 0", &[0x00, 1]),
        ("a tag of 33 bits", &[0x80, 0x80, 0x80, 0x80, 0x10, 1]),
        ("at: a text", &[7 << 3 | 2, 1, b'1']),
        ("at: a double", &[7 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("at: a float", &[7 << 3 | 5, 0, 0, 0, 0]),
        ("at: 11 bytes", &[7 << 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
        ("at: 65 bits", &[7 << 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]),
        ("id: an integer", &[1 << 3, 1]),
        ("id: not UTF-8", &[1 << 3 | 2, 1, 0xff]),
        ("bcat: not UTF-8", &[12 << 3 | 2, 2, 0xc3, 0x28]),
        ("bcat: an integer", &[12 << 3, 1]),
        ("device: an integer", &[5 << 3, 1]),
        ("device: longer than the message", &[5 << 3 | 2, 2, 8]),
        ("device: its field is longer", &[5 << 3 | 2, 2, 2 << 3 | 2, 1]),
        ("imp: a length of 2^64 - 1", &[2 << 3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        ("half of a double", &[0xa1, 0x06, 0, 0, 0, 0]),
        ("an unknown field, cut off", &[0xa2, 0x06, 9, 0]),
    ] {
        assert_eq!(read(&with(more), &arena).err(), Some(BadRequest::NotProtobuf), "{what}");
    }
}

#[test]
fn unusual_messages_are_read() {
    let arena = Bump::new();
    let imp = |fields: &[u8]| with(&field(2, &[&field(1, b"2"), fields].concat()));
    let second = |message: &[u8]| *read(&arena.alloc_slice_copy(message)[..], &arena).unwrap().imp.last().unwrap();

    // Unknown fields of all wire types, also with the numbers of extensions.
    let unknown = [
        &[0xa0, 0x06, 1][..],
        &[0xa1, 0x06, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xa2, 0x06, 1, 0xff],
        &[0xa5, 0x06, 0, 0, 0, 0],
    ];
    assert!(read(&with(&unknown.concat()), &arena).is_ok());
    assert!(read(&with(&field(99, &field(1000, b"\xff"))), &arena).is_ok());

    // The last one counts; messages merge.
    let twice = with(
        &[
            &[7 << 3, 1, 7 << 3, 3][..],
            &field(5, &field(2, b"a")),
            &field(5, &field(12, b"b")),
            &field(5, &field(2, b"c")),
        ]
        .concat(),
    );
    let request = read(&twice, &arena).unwrap();
    assert_eq!((request.at, request.device.ua, request.device.make), (3, "c", "b"));
    let floors = [&[8 << 3 | 1][..], &1.5_f64.to_le_bytes(), &[8 << 3 | 1], &0.1_f64.to_le_bytes()].concat();
    assert_eq!(second(&imp(&floors)).bidfloor, Micros(100_000));

    // Lists whose items are apart, and packed and single numbers together.
    let lists = [field(12, b"a"), field(9, b"x"), field(12, b"b"), field(9, b"y"), field(12, b"c")].concat();
    let lists = with(&lists);
    let request = read(&lists, &arena).unwrap();
    assert_eq!((request.bcat, request.wseat), (&["a", "b", "c"][..], &["x", "y"][..]));
    let api = [&[10 << 3, 7][..], &field(6, &[1, 2]), &field(10, &[5, 3]), &[6 << 3, 9], &field(10, b"")].concat();
    let banner = second(&imp(&field(2, &api))).banner.unwrap();
    assert_eq!((banner.api, banner.battr), (&[7, 5, 3][..], &[1, 2, 9][..]));

    // Long varints, and negative numbers, of which only 32 bits count.
    let video = field(3, &[8 << 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 6 << 3, 0x87, 0x00]);
    let video = second(&imp(&video)).video.unwrap();
    assert_eq!((video.startdelay, video.size.w), (Some(-1), 7));
    let short = field(3, &[8 << 3, 0xfe, 0xff, 0xff, 0xff, 0x0f]);
    assert_eq!(second(&imp(&short)).video.unwrap().startdelay, Some(-2));

    // A floor that is no number cannot be reached.
    let floor = [&[8 << 3 | 1][..], &f64::NAN.to_le_bytes()].concat();
    assert_eq!(second(&imp(&floor)).bidfloor, Micros::UNREADABLE);
    let floor = [&[8 << 3 | 1][..], &(-1.0_f64).to_le_bytes()].concat();
    assert_eq!(second(&imp(&floor)).bidfloor, Micros::ZERO);
}

#[test]
fn large_messages_stay_within_the_limits() {
    let arena = Bump::new();
    let fill = |one: &[u8]| with(&one.repeat((MAX_REQUEST_BYTES - 100) / one.len()));
    for (what, one, is_too_much) in [
        ("impressions", field(2, b""), true),
        ("devices", field(5, b""), true),
        ("categories", field(12, b""), true),
        ("lists in turns", [field(12, b""), field(9, b"")].concat(), true),
        ("the id again and again", field(1, b"1"), false),
        ("the same number", vec![7 << 3, 1], false),
        ("unknown fields", vec![0xa0, 0x06, 1], false),
        ("unknown messages", field(60, &field(60, b"")), false),
    ] {
        let message = fill(&one);
        assert_eq!(read(&message, &arena).unwrap().has_too_much, is_too_much, "{what}");
    }
    let numbers = field(2, &field(2, &field(10, &vec![1; MAX_REQUEST_BYTES - 100])));
    assert!(read(&with(&numbers), &arena).unwrap().has_too_much);
    // In JSON, the limit includes the quotes. Both formats have the same limit.
    for (bytes, is_too_much) in [(MAX_TEXT_BYTES - 2, false), (MAX_TEXT_BYTES - 1, true)] {
        let text = "x".repeat(bytes);
        let request = json!({"id": "1", "imp": [{"id": "1"}], "badv": [text]});
        assert_eq!(read(&encoded(&request), &arena).unwrap().has_too_much, is_too_much, "{bytes}");
        let in_json =
            Reader::default().read(&request.to_string(), &Wants::everything(""), &arena).unwrap().has_too_much;
        assert_eq!(in_json, is_too_much, "{bytes}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, &Bump::new());
        let _ = read(&with(&field(2, &bytes)), &Bump::new());
    }

    #[test]
    fn no_changed_bits_make_the_reader_panic(
        which in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        thread_local!(static MESSAGES: Vec<Vec<u8>> = messages());
        let mut message = MESSAGES.with(|messages| which.get(messages).clone());
        for (at, bit) in flips {
            *at.get_mut(&mut message[..]) ^= 1 << bit;
        }
        if let Some(cut) = cut {
            message.remove(cut.index(message.len()));
        }
        let _ = read(&message, &Bump::new());
    }
}
