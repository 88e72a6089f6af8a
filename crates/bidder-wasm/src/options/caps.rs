//! Frequency caps: what the object of a person allows in the next decision, and the keys of a person.

use auction::options::caps::{Allowed, Kind, Person};
use base::json::Object;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Bidder, called, text};

/// Makes the next [`decide`](crate::decide::decide) the second one on a request about which a first one has left a question,
/// [`Ask`](auction::options::caps::Ask): the first `len` bytes of input say which campaigns and creatives with frequency caps
/// may bid, see [`Allowed::read`]. It leaves the bids that count.
#[wasm_bindgen]
pub fn allow(len: usize) {
    called(len, |input, _, Bidder { options, .. }| options.allowed = Some(Allowed::read(text(input))));
}

/// Writes the keys of a person. The first `len` bytes of input are three lines: the kind of the id, its scope, and the
/// id, as in [`Person`]. The output is `{"keys"}` as in [`Ask`](auction::options::caps::Ask), or `{}` if there is no
/// such kind or there are no keys of notices.
#[wasm_bindgen]
pub fn keys_of(len: usize) {
    called(len, |input, output, Bidder { notices, .. }| {
        let mut lines = text(input).splitn(3, '\n');
        let mut next = || lines.next().unwrap_or_default();
        let mut object = Object::begin(output);
        if let (Some(kind), Some(notices)) = (Kind::parse(next()), notices) {
            Person { kind, scope: next(), id: next() }.write(&mut object, &notices.keys);
        }
        object.end();
    });
}
