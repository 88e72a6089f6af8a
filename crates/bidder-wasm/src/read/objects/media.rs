//! What an impression can show: `Banner` (§3.2.6) with `Format` (§3.2.10), `Video` (§3.2.7) and
//! `Audio` (§3.2.8). Native is apart.

use super::deal::dur_floor;
use crate::read::walk::Value;
use crate::request::{Banner, Format, Linear};

pub(super) fn banner<'a>(value: Value<'_, 'a, '_>) -> Option<Banner<'a>> {
    let mut banner = Banner::default();
    for (key, value) in value.object()? {
        match key {
            b"format" => banner.format = value.objects(format),
            b"w" => banner.size.w = value.integer_or_zero(),
            b"h" => banner.size.h = value.integer_or_zero(),
            b"btype" => banner.btype = value.integers(),
            b"battr" => banner.battr = value.integers(),
            b"mimes" => banner.mimes = value.texts(),
            b"api" => banner.api = value.integers(),
            b"pos" => banner.pos = value.integer_or_zero(),
            b"expdir" => banner.expdir = value.integers(),
            b"topframe" => banner.topframe = value.known_flag(),
            _ => {}
        }
    }
    Some(banner)
}

fn format(value: Value<'_, '_, '_>) -> Option<Format> {
    let mut format = Format::default();
    for (key, value) in value.object()? {
        match key {
            b"w" => format.size.w = value.integer_or_zero(),
            b"h" => format.size.h = value.integer_or_zero(),
            b"wratio" => format.wratio = value.integer_or_zero(),
            b"hratio" => format.hratio = value.integer_or_zero(),
            b"wmin" => format.wmin = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(format)
}

/// Has what `Audio` has, and some more.
pub(super) fn video<'a>(value: Value<'_, 'a, '_>) -> Option<Linear<'a>> {
    let mut video = Linear::default();
    for (key, value) in value.object()? {
        match key {
            b"w" => video.size.w = value.integer_or_zero(),
            b"h" => video.size.h = value.integer_or_zero(),
            b"linearity" => video.linearity = value.integer_or_zero(),
            b"plcmt" => video.plcmt = value.integer_or_zero(),
            b"pos" => video.pos = value.integer_or_zero(),
            b"skip" => video.skip = value.known_flag(),
            b"skipmin" => video.skipmin = value.integer_or_zero(),
            b"playbackmethod" => video.playbackmethod = value.integers(),
            b"boxingallowed" => video.boxingallowed = value.known_flag(),
            b"poddedupe" => video.poddedupe = value.integers(),
            _ => linear(&mut video, key, value),
        }
    }
    Some(video)
}

pub(super) fn audio<'a>(value: Value<'_, 'a, '_>) -> Option<Linear<'a>> {
    let mut audio = Linear::default();
    for (key, value) in value.object()? {
        linear(&mut audio, key, value);
    }
    Some(audio)
}

/// What `Video` and `Audio` share.
fn linear<'a>(linear: &mut Linear<'a>, key: &[u8], value: Value<'_, 'a, '_>) {
    match key {
        b"mimes" => linear.mimes = value.texts(),
        b"minduration" => linear.minduration = value.integer_or_zero(),
        b"maxduration" => linear.maxduration = value.integer_or_zero(),
        b"rqddurs" => linear.rqddurs = value.integers(),
        b"protocols" => linear.protocols = value.integers(),
        b"battr" => linear.battr = value.integers(),
        b"api" => linear.api = value.integers(),
        b"startdelay" => linear.startdelay = value.integer(),
        b"maxextended" => linear.maxextended = value.integer_or_zero(),
        b"minbitrate" => linear.minbitrate = value.integer_or_zero(),
        b"maxbitrate" => linear.maxbitrate = value.integer_or_zero(),
        b"delivery" => linear.delivery = value.integers(),
        b"companionad" => linear.companionad = value.objects(banner),
        b"companiontype" => linear.companiontype = value.integers(),
        b"podid" => linear.podid = value.text_or_empty(),
        b"podseq" => linear.podseq = value.integer_or_zero(),
        b"slotinpod" => linear.slotinpod = value.integer_or_zero(),
        b"maxseq" => linear.maxseq = value.integer_or_zero(),
        b"poddur" => linear.poddur = value.integer_or_zero(),
        b"mincpmpersec" => linear.mincpmpersec = value.floor(),
        b"durfloors" => linear.durfloors = value.objects(dur_floor),
        _ => {}
    }
}
