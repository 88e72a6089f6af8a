//! Checks a banner and makes it ready to serve.

use crate::compile::document::BannerEntry;
use crate::decode::{Finding, Rule};
use bidder_wasm::catalog::{BannerDraft, Shape};
use bidder_wasm::write::literal;

pub(crate) fn compile(ad: &BannerEntry, path: &str, findings: &mut Vec<Finding>) -> Option<BannerDraft> {
    let shape = shape(ad, path, findings)?;
    // A missing adm already has its finding.
    let adm = ad.adm.clone()?;
    let mime = ad.mime.clone().unwrap_or_else(|| "text/html".to_owned());
    Some(BannerDraft {
        shape,
        expdir: ad.expdir.clone(),
        btype: ad.btype.unwrap_or_default(),
        mime,
        adm: literal(&adm),
    })
}

fn shape(ad: &BannerEntry, path: &str, findings: &mut Vec<Finding>) -> Option<Shape> {
    Some(match (ad.w, ad.h, ad.wratio, ad.hratio) {
        (Some(w), Some(h), None, None) => Shape::Fixed { w, h },
        (None, None, Some(wratio), Some(hratio)) => Shape::Ratio { wratio, hratio, wmin: ad.wmin.unwrap_or(1) },
        _ => {
            let message = "has no size, or two; expected either w and h, or wratio and hratio".to_owned();
            findings.push(Finding::new(path.to_owned(), Rule::Missing, message));
            return None;
        }
    })
}
