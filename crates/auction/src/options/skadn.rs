//! Writes `bid.ext.skadn` (IAB community extension `skadnetwork`, SKAdNetwork 2.0 to 4.0), and the texts that the host
//! must sign.
//!
//! The response has [`SIGNATURE_BYTES`] spaces in place of each signature. The key is a secret of the host, so the host
//! writes the signature there.

use core::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::left::Left;
use crate::bid::Bid;
use crate::context::Context;
use crate::write::envelope::Envelope;
use base::json::{Object, number_to, objects};
use catalog::Skadn;
use rules::skadn::{FOUR, version};

/// The length of a signature: ECDSA over P-256 in DER, of 70 to 72 bytes, in Base64. The host signs again if a
/// signature is shorter.
pub const SIGNATURE_BYTES: usize = 96;

/// Between the signed values.
const SEPARATOR: char = '\u{2063}';

/// The data of a bid for SKAdNetwork.
pub(crate) struct Ad<'b> {
    version: &'static str,
    skadn: Skadn<'b>,
    sourceapp: &'b str,
    signed_ms: i64,
    seed: u64,
    place: usize,
}

impl<'b> Ad<'b> {
    /// `None` if the impression does not take it, or if the host does not sign it.
    pub(crate) fn of(bid: &Bid<'b>, place: usize, envelope: &Envelope<'_>) -> Option<Ad<'b>> {
        let skadn = bid.campaign.bounds().get(0)?.skadn().filter(|_| envelope.context.options.signs)?;
        let version = version(bid.imp, &skadn)?;
        let sourceapp = bid.imp.skadn?.sourceapp;
        let Context { now_ms: signed_ms, seed, .. } = *envelope.context;
        Some(Ad { version, skadn, sourceapp, signed_ms, seed, place })
    }

    /// Appends the member `skadn`.
    pub(crate) fn write(&self, ext: &mut Object<'_>) {
        ext.object("skadn", |object| {
            object.literal("version", self.version);
            object.literal("network", self.skadn.network());
            let (name, number) = self.number();
            object.literal(name, number);
            object.literal("itunesitem", self.skadn.itunesitem());
            object.literal("sourceapp", self.sourceapp);
            match self.fidelities() {
                [None] => self.prove(object, None),
                several => object.objects("fidelities", several, |object, fidelity| {
                    object.maybe("fidelity", *fidelity);
                    self.prove(object, *fidelity);
                }),
            }
        });
    }

    /// The kinds of ads, each with its own signature: shown in the app (view-through, 0), or as a page of the App Store
    /// (1). Versions before 2.2 have only one kind, without a number.
    fn fidelities(&self) -> &'static [Option<i64>] {
        if self.version < "2.2" { &[None] } else { &[Some(0), Some(1)] }
    }

    /// `campaign` or `sourceidentifier`, and its value.
    fn number(&self) -> (&'static str, &'b str) {
        if self.version == FOUR {
            ("sourceidentifier", self.skadn.sourceidentifier())
        } else {
            ("campaign", self.skadn.campaign())
        }
    }

    /// A random UUID, version 4 of RFC 9562, made from the seed.
    fn nonce(&self, fidelity: Option<i64>) -> String {
        let mut hash = Sha256::new_with_prefix(b"skadn");
        hash.update(self.seed.to_be_bytes());
        hash.update((self.place as u64).to_be_bytes());
        hash.update(fidelity.unwrap_or(-1).to_be_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let [high, low, ..] = digest.as_chunks::<8>().0 else { return String::new() };
        let high = u64::from_be_bytes(*high) & !0xf000 | 0x4000;
        let low = u64::from_be_bytes(*low) & (u64::MAX >> 2) | 1 << 63;
        let (time, mid, version) = (high >> 32, high >> 16 & 0xffff, high & 0xffff);
        let (clock, node) = (low >> 48, low & 0xffff_ffff_ffff);
        format!("{time:08x}-{mid:04x}-{version:04x}-{clock:04x}-{node:012x}")
    }

    /// The values in Apple's order, with a separator between them.
    fn message(&self, fidelity: Option<i64>) -> String {
        let Ad { version, skadn, sourceapp, .. } = self;
        let (_, number) = self.number();
        let nonce = self.nonce(fidelity);
        let mut message = String::new();
        for value in [version, skadn.network(), number, skadn.itunesitem(), &nonce, sourceapp] {
            message.push_str(value);
            message.push(SEPARATOR);
        }
        if let Some(fidelity) = fidelity {
            let _ = write!(message, "{fidelity}{SEPARATOR}");
        }
        number_to(&mut message, self.signed_ms);
        message
    }

    /// The value of `nonce`, all of `timestamp`, and `signature` up to its value. This text is unique in a response.
    fn proof(&self, fidelity: Option<i64>) -> String {
        let (nonce, signed_ms) = (self.nonce(fidelity), self.signed_ms);
        format!(r#"{nonce}","timestamp":"{signed_ms}","signature":""#)
    }

    /// Appends `nonce`, `timestamp`, and `signature` with the place of its value.
    fn prove(&self, object: &mut Object<'_>, fidelity: Option<i64>) {
        object.raw("nonce", |out| {
            let _ = write!(out, "\"{}{:SIGNATURE_BYTES$}\"", self.proof(fidelity), "");
        });
    }
}

/// Leaves each signature that the response in `body` needs: `[{"at","message"}]`, the byte at which its place begins, and
/// the text to sign.
pub(super) fn leave_unsigned(left: &mut Left, body: &str, envelope: &Envelope<'_>, bids: &[Bid<'_>]) {
    let mut unsigned = Vec::new();
    for (place, bid) in bids.iter().enumerate() {
        let Some(ad) = Ad::of(bid, place, envelope) else { continue };
        for fidelity in ad.fidelities() {
            let proof = ad.proof(*fidelity);
            unsigned.extend(body.find(&proof).map(|at| (at + proof.len(), ad.message(*fidelity))));
        }
    }
    if unsigned.is_empty() {
        return;
    }
    left.add("skadn", |out| {
        objects(out, &unsigned, |object, (at, message)| {
            object.number("at", i64::try_from(*at).unwrap_or_default());
            object.string("message", message);
        });
    });
}
