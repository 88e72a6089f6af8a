//! `BidRequest` (§3.2.1).

use super::{channel, device, first_party, imp, person, regs, source};
use crate::read::fast::Natives;
use crate::read::key::name;
use crate::read::walk::Value;
use crate::read::{BadRequest, Wants};
use crate::request::{Request, Text};

/// Reads what is wanted of the root of a body, and merges first-party data.
pub(in crate::read) fn read<'a>(
    root: Value<'_, 'a, '_>,
    wants: &Wants<'_>,
    natives: &mut Natives<'_, 'a>,
) -> Result<Request<'a>, BadRequest> {
    let needs = &wants.needs;
    let members = root.object().ok_or(BadRequest::NotAnObject)?;
    let mut request = Request { at: 2, cattax: 1, ..Request::default() };
    let (mut id, mut imps, mut ext): (Option<Text<'a>>, _, _) = (None, None, None);
    for (key, value) in members {
        match key {
            name::id => id = value.literal(),
            // Read when its last duplicate is known: it is most of the work.
            name::imp => imps = Some(value),
            name::site => request.site = channel::site(value, needs),
            name::app => request.app = channel::app(value, needs),
            name::dooh => request.dooh = channel::dooh(value, needs),
            name::device => request.device = device::device(value, needs),
            name::user => request.user = person::user(value, needs),
            name::test => request.test = value.flag(),
            name::at => request.at = value.integer().unwrap_or(2),
            name::tmax => request.tmax = value.integer_or_zero(),
            name::wseat => request.wseat = value.texts(),
            name::bseat => request.bseat = value.texts(),
            name::cur => request.cur = value.currencies(),
            name::bcat => request.bcat = value.texts(),
            name::acat => request.acat = value.texts(),
            name::cattax => request.cattax = value.integer().unwrap_or(1),
            name::badv => request.badv = value.texts(),
            name::bapp => request.bapp = value.texts(),
            name::wlang => request.wlang = value.texts(),
            name::wlangb => request.wlangb = value.texts(),
            name::regs => request.regs = regs::read(value),
            name::source if needs.schain => request.schain = source::schain(value),
            name::ext => ext = Some(value),
            _ => {}
        }
    }
    request.id = id.ok_or(BadRequest::MissingId)?;
    (request.imp, request.more_imps) =
        imps.and_then(|imps| imp::list(imps, needs, natives)).ok_or(BadRequest::MissingImp)?;
    if let Some(ext) = ext {
        first_party::merge(&mut request, root, ext, wants);
    }
    request.has_too_much = natives.left.get().is_over;
    Ok(request)
}
