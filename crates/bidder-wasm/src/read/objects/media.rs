//! What an impression can show: `Banner` (§3.2.6) with `Format` (§3.2.10), `Video` (§3.2.7) and
//! `Audio` (§3.2.8). Native is apart.

use crate::read::walk::Value;
use crate::request::{Banner, Linear, Size};

pub(super) fn banner<'a>(value: Value<'_, 'a, '_>) -> Option<Banner<'a>> {
    let mut banner = Banner::default();
    for (key, value) in value.members()? {
        match key {
            b"format" => banner.format = value.list(size),
            b"w" => banner.size.w = value.integer_or_zero(),
            b"h" => banner.size.h = value.integer_or_zero(),
            b"btype" => banner.btype = value.integers(),
            b"battr" => banner.battr = value.integers(),
            b"mimes" => banner.mimes = value.texts(),
            b"api" => banner.api = value.integers(),
            _ => {}
        }
    }
    Some(banner)
}

/// Has what `Audio` has, and some more.
pub(super) fn video<'a>(value: Value<'_, 'a, '_>) -> Option<Linear<'a>> {
    let mut video = Linear::default();
    for (key, value) in value.members()? {
        match key {
            b"w" => video.size.w = value.integer_or_zero(),
            b"h" => video.size.h = value.integer_or_zero(),
            b"linearity" => video.linearity = value.integer_or_zero(),
            _ => linear(&mut video, key, value),
        }
    }
    Some(video)
}

pub(super) fn audio<'a>(value: Value<'_, 'a, '_>) -> Option<Linear<'a>> {
    let mut audio = Linear::default();
    for (key, value) in value.members()? {
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
        _ => {}
    }
}

fn size(value: Value<'_, '_, '_>) -> Option<Size> {
    let mut size = Size::default();
    for (key, value) in value.members()? {
        match key {
            b"w" => size.w = value.integer_or_zero(),
            b"h" => size.h = value.integer_or_zero(),
            _ => {}
        }
    }
    Some(size)
}
