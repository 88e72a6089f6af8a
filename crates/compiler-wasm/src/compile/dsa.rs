//! Makes `dsa` of a campaign (IAB community extension `dsa_transparency`) ready to serve.

use bidder_wasm::catalog::DsaDraft;
use bidder_wasm::write::Object;

use super::document::DsaEntry;

pub(super) fn compile(entry: &DsaEntry) -> DsaDraft {
    let adrender = entry.adrender.unwrap_or_default();
    let (mut names, mut transparency) = (String::new(), String::new());
    let mut members = Object::more(&mut names);
    members.string("behalf", entry.behalf.as_deref().unwrap_or_default());
    members.string("paid", entry.paid.as_deref().unwrap_or_default());
    members.number("adrender", adrender);
    Object::more(&mut transparency).list("transparency", &entry.transparency, |out, entry| {
        let mut object = Object::begin(out);
        object.string("domain", &entry.domain.as_deref().unwrap_or_default().to_ascii_lowercase());
        object.numbers("dsaparams", &entry.dsaparams);
        object.end();
    });
    DsaDraft { adrender: adrender == 1, names, transparency }
}
