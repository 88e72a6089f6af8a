//! `BidRequest` (§3.2.1).

use super::{channel, device, first_party, imp, person, regs, source};
use crate::read::BadRequest;
use crate::read::fast::Natives;
use crate::read::walk::Value;
use crate::request::{Request, Text};

/// Reads the root of a body, and merges first-party data addressed to `prebid_code`.
pub(in crate::read) fn read<'a>(
    root: Value<'_, 'a, '_>,
    prebid_code: &str,
    natives: &mut Natives<'_, 'a>,
) -> Result<Request<'a>, BadRequest> {
    let members = root.object().ok_or(BadRequest::NotAnObject)?;
    let mut request = Request { at: 2, cattax: 1, ..Request::default() };
    let (mut id, mut imps, mut ext): (Option<Text<'a>>, _, _) = (None, None, None);
    for (key, value) in members {
        match key {
            b"id" => id = value.literal(),
            // Read when its last duplicate is known: it is most of the work.
            b"imp" => imps = Some(value),
            b"site" => request.site = channel::site(value),
            b"app" => request.app = channel::app(value),
            b"dooh" => request.dooh = channel::dooh(value),
            b"device" => request.device = device::device(value),
            b"user" => request.user = person::user(value),
            b"test" => request.test = value.flag(),
            b"at" => request.at = value.integer().unwrap_or(2),
            b"tmax" => request.tmax = value.integer_or_zero(),
            b"wseat" => request.wseat = value.texts(),
            b"bseat" => request.bseat = value.texts(),
            b"cur" => request.cur = value.currencies(),
            b"bcat" => request.bcat = value.texts(),
            b"acat" => request.acat = value.texts(),
            b"cattax" => request.cattax = value.integer().unwrap_or(1),
            b"badv" => request.badv = value.texts(),
            b"bapp" => request.bapp = value.texts(),
            b"wlang" => request.wlang = value.texts(),
            b"wlangb" => request.wlangb = value.texts(),
            b"regs" => request.regs = regs::read(value),
            b"source" => request.schain = source::schain(value),
            b"ext" => ext = Some(value),
            _ => {}
        }
    }
    request.id = id.ok_or(BadRequest::MissingId)?;
    request.imp = imps.and_then(|imps| imp::list(imps, natives)).ok_or(BadRequest::MissingImp)?;
    if let Some(ext) = ext {
        first_party::merge(&mut request, root, ext, prebid_code);
    }
    Ok(request)
}
