//! What an impression can show: `Banner` (§3.2.6) with `Format` (§3.2.10), `Video` (§3.2.7) and
//! `Audio` (§3.2.8). Native is apart.

use super::deal::dur_floor;
use super::member;
use crate::read::key::{Key, name};
use crate::read::walk::Value;
use crate::request::{Banner, Format, Linear};

pub(super) fn banner<'a>(value: Value<'_, 'a, '_>) -> Option<Banner<'a>> {
    let mut banner = Banner::default();
    for (key, value) in value.object()? {
        match key {
            name::format => banner.format = value.objects(format),
            name::w => banner.size.w = value.integer_or_zero(),
            name::h => banner.size.h = value.integer_or_zero(),
            name::btype => banner.btype = value.integers(),
            name::battr => banner.battr = value.integers(),
            name::mimes => banner.mimes = value.texts(),
            name::api => banner.api = value.integers(),
            name::pos => banner.pos = value.integer_or_zero(),
            name::expdir => banner.expdir = value.integers(),
            name::topframe => banner.topframe = value.known_flag(),
            _ => {}
        }
    }
    Some(banner)
}

fn format(value: Value<'_, '_, '_>) -> Option<Format> {
    let mut format = Format::default();
    for (key, value) in value.object()? {
        match key {
            name::w => format.size.w = value.integer_or_zero(),
            name::h => format.size.h = value.integer_or_zero(),
            name::wratio => format.wratio = value.integer_or_zero(),
            name::hratio => format.hratio = value.integer_or_zero(),
            name::wmin => format.wmin = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(format)
}

/// Has what `Audio` has, and some more.
pub(super) fn video<'a>(value: Value<'_, 'a, '_>) -> Option<&'a Linear<'a>> {
    let members = value.object()?;
    let video = value.arena().alloc(Linear::default());
    let mut protocol = None;
    for (key, value) in members {
        match key {
            name::protocol => protocol = value.integer(),
            name::w => video.size.w = value.integer_or_zero(),
            name::h => video.size.h = value.integer_or_zero(),
            name::linearity => video.linearity = value.integer_or_zero(),
            name::plcmt => video.plcmt = value.integer_or_zero(),
            name::pos => video.pos = value.integer_or_zero(),
            name::skip => video.skip = value.known_flag(),
            name::skipmin => video.skipmin = value.integer_or_zero(),
            name::playbackmethod => video.playbackmethod = value.integers(),
            name::boxingallowed => video.boxingallowed = value.known_flag(),
            name::poddedupe => video.poddedupe = value.integers(),
            _ => linear(video, key, value),
        }
    }
    if let (Some(protocol), []) = (protocol, video.protocols) {
        video.protocols = value.arena().alloc([protocol]);
    }
    Some(video)
}

pub(super) fn audio<'a>(value: Value<'_, 'a, '_>) -> Option<&'a Linear<'a>> {
    let members = value.object()?;
    let audio = value.arena().alloc(Linear::default());
    for (key, value) in members {
        linear(audio, key, value);
    }
    Some(audio)
}

/// Of a `Video`, what concerns every bid on its impression: the pod that it is part of.
pub(super) fn video_pod<'a>(value: Value<'_, 'a, '_>) -> Option<&'a Linear<'a>> {
    let poddedupe = member(value, name::poddedupe).map_or(&[][..], Value::integers);
    let of_audio = *audio_pod(value)?;
    Some(value.arena().alloc(Linear { poddedupe, ..of_audio }))
}

/// Of an `Audio`, the same.
pub(super) fn audio_pod<'a>(value: Value<'_, 'a, '_>) -> Option<&'a Linear<'a>> {
    let podid = member(value, name::podid).map(Value::text_or_empty).unwrap_or_default();
    value.is_object().then(|| &*value.arena().alloc(Linear { podid, ..Linear::default() }))
}

/// What `Video` and `Audio` share.
fn linear<'a>(linear: &mut Linear<'a>, key: Key, value: Value<'_, 'a, '_>) {
    match key {
        name::mimes => linear.mimes = value.texts(),
        name::minduration => linear.minduration = value.integer_or_zero(),
        name::maxduration => linear.maxduration = value.integer_or_zero(),
        name::rqddurs => linear.rqddurs = value.integers(),
        name::protocols => linear.protocols = value.integers(),
        name::battr => linear.battr = value.integers(),
        name::api => linear.api = value.integers(),
        name::startdelay => linear.startdelay = value.integer(),
        name::maxextended => linear.maxextended = value.integer_or_zero(),
        name::minbitrate => linear.minbitrate = value.integer_or_zero(),
        name::maxbitrate => linear.maxbitrate = value.integer_or_zero(),
        name::delivery => linear.delivery = value.integers(),
        name::companionad => linear.companionad = value.objects(banner),
        name::companiontype => linear.companiontype = value.integers(),
        name::podid => linear.podid = value.text_or_empty(),
        name::podseq => linear.podseq = value.integer_or_zero(),
        name::slotinpod => linear.slotinpod = value.integer_or_zero(),
        name::maxseq => linear.maxseq = value.integer_or_zero(),
        name::poddur => linear.poddur = value.integer_or_zero(),
        name::mincpmpersec => linear.mincpmpersec = value.floor(),
        name::durfloors => linear.durfloors = value.objects(dur_floor),
        _ => {}
    }
}
