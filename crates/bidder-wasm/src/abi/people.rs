//! Ids of people: user sync, and the keys under which frequency caps are counted.

use wasm_bindgen::prelude::wasm_bindgen;

use super::{Bidder, with};
use crate::buffers::Buffers;
use crate::caps::{Kind, Person};
use crate::sync::Call;
use crate::write;

/// Reads the first `len` bytes of input as the query of a sync call for the SSP at place `ssp`. `opted_out`: the
/// browser sends `Sec-GPC: 1` or `DNT: 1`.
///
/// The output is that of [`Call::write`], or `{"refused"}`: `bad-call` if the query is not valid, `no-consent` if privacy
/// forbids the sync, `bad-redirect` if the SSP's `sync_redirect_hosts` do not allow `redirect`.
#[wasm_bindgen]
pub fn sync(len: usize, ssp: usize, opted_out: bool) {
    with(|Buffers { input, output, .. }, Bidder { scratch, catalog, .. }| {
        output.clear();
        let query = input.get(..len).unwrap_or_default();
        let call = catalog.as_ref().ok_or("bad-call").and_then(|catalog| {
            let arena = scratch.arena();
            let call = Call::read(query, arena).ok_or("bad-call")?;
            if !call.is_allowed(opted_out, &catalog.privacy, arena) {
                return Err("no-consent");
            }
            let ssp = catalog.parts().ssps().get(ssp);
            let hosts = ssp.map(|ssp| ssp.sync_redirect_hosts()).unwrap_or_default();
            call.within(hosts.iter()).ok_or("bad-redirect")
        });
        match call {
            Ok(call) => call.write(output),
            Err(refused) => {
                let mut object = write::Object::begin(output);
                object.string("refused", refused);
                object.end();
            }
        }
    });
}

/// Writes the keys of a person. The first `len` bytes of input are three lines: the kind of the id, its scope, and the
/// id, as in [`Person`]. The output is `{"object","keys"}` as in [`crate::caps::Ask`], or `{}` if there is no such kind or
/// there are no keys of notices.
#[wasm_bindgen]
pub fn keys_of(len: usize) {
    with(|Buffers { input, output, .. }, Bidder { notices, .. }| {
        output.clear();
        let text = core::str::from_utf8(input.get(..len).unwrap_or_default()).unwrap_or_default();
        let mut lines = text.splitn(3, '\n');
        let mut next = || lines.next().unwrap_or_default();
        let mut object = write::Object::begin(output);
        if let (Some(kind), Some(notices)) = (Kind::parse(next()), notices) {
            Person { kind, scope: next(), id: next() }.write(&mut object, &notices.keys);
        }
        object.end();
    });
}
