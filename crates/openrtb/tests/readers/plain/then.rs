//! What the `then` functions of the table do after the rows of an object.

#![allow(clippy::unnecessary_wraps, reason = "all functions in `then` have this signature")]

use base::money::{Micros, Rounding};
use bumpalo::Bump;
use openrtb::request::{Data, Dsa, Geo, Linear, Point, Regs, SupplyChain};

use super::object::Object;

/// Degrees are cut to millionths, because [`Micros`] reads them.
pub(super) fn point(from: &Object<'_>, into: &mut Geo<'_>) -> Option<()> {
    let degrees = |name, most: i64| {
        let Micros(degrees) = from.millionths(name, Rounding::Down)?;
        (-most..=most).contains(&degrees).then_some(degrees)
    };
    into.point = degrees("lat", 90_000_000).zip(degrees("lon", 180_000_000)).map(|(lat, lon)| Point { lat, lon });
    Some(())
}

pub(super) fn removed_protocol<'a>(from: &Object<'a>, into: &mut Linear<'a>) -> Option<()> {
    if into.protocols.is_empty() {
        into.protocols = from.integer("protocol").map_or(&[][..], |protocol| from.arena.alloc([protocol]));
    }
    Some(())
}

pub(super) fn two_positions(from: &Object<'_>, into: &mut Regs<'_>) -> Option<()> {
    let ext = from.inner("ext");
    into.gdpr = from.signal("gdpr").max(ext.signal("gdpr"));
    into.gpc = from.signal("gpc").max(ext.signal("gpc")).unwrap_or_default();
    let dsas = [from, &ext].into_iter().filter_map(|position| position.object("dsa", super::Dsa));
    into.dsa = dsas.reduce(Dsa::stricter).unwrap_or_default();
    Some(())
}

pub(super) fn in_taxonomy<'a>(from: &Object<'a>, into: &mut Data<'a>) -> Option<()> {
    let mut all = vec![into.id, into.name];
    all.dedup();
    all.retain(|provider| !provider.is_empty());
    all.push("");
    if into.segtax != 0 && !into.segment.is_empty() {
        let named = all.iter().map(|provider| &*from.arena.alloc_str(&format!("{provider}\u{1f}{}", into.segtax)));
        into.in_taxonomy = from.arena.alloc_slice_copy(&named.collect::<Vec<_>>());
    }
    Some(())
}

/// The supply chain of the position in 2.6 and the one in `ext`.
pub(super) fn one_chain<'a>(
    own: Option<SupplyChain<'a>>,
    ext: Option<SupplyChain<'a>>,
    arena: &'a Bump,
) -> Option<SupplyChain<'a>> {
    let (Some(own), Some(ext)) = (own, ext) else { return own.or(ext) };
    let (long, short) = if own.nodes.len() < ext.nodes.len() { (ext, own) } else { (own, ext) };
    let nodes = match (own.nodes, ext.nodes) {
        ([], _) => return Some(ext),
        (_, []) => return Some(own),
        _ if long.nodes[..short.nodes.len()] == *short.nodes => long.nodes,
        (own, ext) => arena.alloc_slice_copy(&[own, ext].concat()),
    };
    Some(SupplyChain { complete: own.complete && ext.complete, nodes })
}

pub(super) mod native {
    use openrtb::request::{Asset, AssetKind, Native, NativeVersion, Size};

    use super::super::json::checked;
    use super::super::object::Object;
    use super::super::unreadable;

    /// `None` without a readable request.
    pub(in super::super) fn read_request<'a>(from: &Object<'a>, into: &mut Native<'a>) -> Option<()> {
        let outer = if from.is_object("request").is_some() {
            from.inner("request")
        } else {
            Object::of(&checked(from.string("request")?.as_bytes())?, from.arena)?
        };
        let is_wrapped = outer.is_object("native").is_some();
        let inner = outer.inner("native");
        let ver = from.text("ver").or(inner.text("ver")).or(outer.text("ver")).unwrap_or_default();
        into.ver = NativeVersion::of(ver, is_wrapped);
        super::super::NativeContent(&outer, into)?;
        super::super::NativeContent(&inner, into)
    }

    /// A required asset without an id stays, so that no ad fits.
    pub(in super::super) fn asset_kind<'a>(from: &Object<'a>, into: &mut Asset<'a>) -> Option<()> {
        if into.id.is_none() {
            return into.required.then_some(());
        }
        let integer = |of: &Object<'a>, name| of.integer(name).unwrap_or_default();
        let size = |of: &Object<'a>, w, h| Size { w: integer(of, w), h: integer(of, h) };
        let name = ["title", "img", "video", "data"].into_iter().find(|name| from.is_object(name).is_some());
        let of = from.inner(name.unwrap_or_default());
        into.kind = match name {
            Some("title") => AssetKind::Title { len: integer(&of, "len") },
            Some("img") => {
                AssetKind::Img { kind: integer(&of, "type"), size: size(&of, "w", "h"), min: size(&of, "wmin", "hmin") }
            }
            Some("video") => AssetKind::Video {
                mimes: of.texts("mimes").unwrap_or_default(),
                minduration: integer(&of, "minduration"),
                maxduration: integer(&of, "maxduration"),
                protocols: of.integers("protocols").unwrap_or_default(),
            },
            Some(_) => AssetKind::Data { kind: integer(&of, "type"), len: integer(&of, "len") },
            None => AssetKind::Other,
        };
        let limits = match name {
            Some("title") => unreadable::Title(&of),
            Some("img") => unreadable::Img(&of),
            Some("video") => unreadable::AssetVideo(&of),
            _ => unreadable::AssetData(&of),
        };
        if limits.is_some() {
            into.kind = AssetKind::Other;
        }
        Some(())
    }
}
