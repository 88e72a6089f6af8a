//! The rules: each function checks one campaign, deal, creative or bid, and returns the first reason against it.
//!
//! Rules do not search, rank, price or write.

pub mod banner;
pub mod campaign;
pub mod creative;
pub mod dsa;
pub mod imp;
mod linear;
pub mod native;
pub mod pod;
pub mod skadn;

pub(crate) use linear::{duration_accepted, has_room, playable};

pub(crate) use crate::no_bid::{Checked, require};
use crate::request::Imp;

/// `api` and `battr` of the banner, the video, the audio and the native object that an impression offers.
pub(crate) fn api_and_battr<'a>(imp: &Imp<'a>) -> [Option<(&'a [i64], &'a [i64])>; 4] {
    [
        imp.banner.as_ref().map(|offer| (offer.api, offer.battr)),
        imp.video.map(|offer| (offer.api, offer.battr)),
        imp.audio.map(|offer| (offer.api, offer.battr)),
        imp.native.as_ref().map(|offer| (offer.api, offer.battr)),
    ]
}
