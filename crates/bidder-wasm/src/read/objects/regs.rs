//! `Regs` (§3.2.3).

use super::member;
use crate::read::key::{Key, name};
use crate::read::walk::Value;
use crate::request::{Dsa, Regs};

pub(super) fn read<'a>(value: Value<'_, 'a, '_>) -> Regs<'a> {
    let mut regs = Regs::default();
    let mut ext = Regs::default();
    let (mut own, mut elsewhere) = (None, None);
    for (key, value) in value.members() {
        match key {
            name::coppa => regs.coppa = value.flag(),
            name::dsa => own = dsa(value),
            name::ext => (ext, elsewhere) = (signals(value), member(value, name::dsa).and_then(dsa)),
            _ => signal(&mut regs, key, value),
        }
    }
    regs.gdpr = regs.gdpr.or(ext.gdpr);
    regs.gpc |= ext.gpc;
    if regs.us_privacy.is_empty() {
        regs.us_privacy = ext.us_privacy;
    }
    if regs.gpp.is_empty() {
        regs.gpp = ext.gpp;
    }
    if regs.gpp_sid.is_empty() {
        regs.gpp_sid = ext.gpp_sid;
    }
    regs.dsa = own.or(elsewhere).unwrap_or_default();
    regs
}

fn dsa(value: Value<'_, '_, '_>) -> Option<Dsa> {
    let mut dsa = Dsa::default();
    for (key, value) in value.object()? {
        match key {
            name::dsarequired => dsa.dsarequired = value.integer_or_zero(),
            name::pubrender => dsa.pubrender = value.integer(),
            name::datatopub => dsa.datatopub = value.integer(),
            _ => {}
        }
    }
    Some(dsa)
}

fn signals<'a>(value: Value<'_, 'a, '_>) -> Regs<'a> {
    let mut regs = Regs::default();
    for (key, value) in value.members() {
        signal(&mut regs, key, value);
    }
    regs
}

/// What `OpenRTB` 2.5 had in `ext`, under the same names.
fn signal<'a>(regs: &mut Regs<'a>, key: Key, value: Value<'_, 'a, '_>) {
    match key {
        name::gdpr => regs.gdpr = applies(value),
        name::us_privacy => regs.us_privacy = value.text_or_empty(),
        name::gpp => regs.gpp = value.text_or_empty(),
        name::gpp_sid => regs.gpp_sid = value.integers(),
        name::gpc => regs.gpc = value.flag(),
        _ => {}
    }
}

/// 1 and 0; anything else says nothing.
fn applies(value: Value<'_, '_, '_>) -> Option<bool> {
    match value.integer()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}
