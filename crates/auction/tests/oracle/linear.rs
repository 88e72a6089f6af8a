//! The rules that compare a video or audio ad with a player.

use reasons::no_bid::NoBidReason as Reason;
use serde_json::{Value, json};

use super::json::{at, flag, has, int, ints, list, text, texts};

const OWN_SKIP_BUTTON: i64 = 16;

pub fn first_failure(creative: &Value, ours: &Value, offer: &Value) -> Option<Reason> {
    let files = files(ours);
    let of_type: Vec<&Value> =
        files.iter().filter(|file| texts(offer, "mimes").contains(&text(file, "mime"))).collect();
    let in_rate: Vec<&&Value> = of_type.iter().filter(|file| bitrate(file, offer)).collect();
    // A video without `protocols` may still have `protocol`, which OpenRTB 2.6 removed.
    let removed = int(offer, "protocol").filter(|_| ints(offer, "protocols").is_empty());
    let protocols = [ints(offer, "protocols"), removed.into_iter().collect()].concat();
    let skips_itself = ints(creative, "attr").contains(&OWN_SKIP_BUTTON);
    let dur = int(ours, "dur").unwrap();
    let linearity = int(ours, "linearity").unwrap_or(1);
    let rules = [
        (Reason::Mimes, !of_type.is_empty()),
        (Reason::Bitrate, !in_rate.is_empty()),
        (Reason::Delivery, in_rate.iter().any(|file| delivered(file, offer))),
        (Reason::Protocols, protocols.is_empty() || protocols.contains(&int(ours, "protocol").unwrap())),
        (Reason::Linearity, int(offer, "linearity").is_none_or(|wanted| wanted == linearity)),
        (Reason::Duration, duration(dur, offer)),
        (
            Reason::Skip,
            !(skips_itself && (flag(offer, "skip") || int(offer, "skipmin").is_some_and(|least| dur <= least))),
        ),
        (Reason::Boxing, !playable(ours, offer).is_empty() && unboxed(ours, offer)),
        (Reason::Companion, at(ours, "companion_required") != true || companions(ours, offer) > 0),
    ];
    rules.into_iter().find(|(_, met)| !met).map(|(reason, _)| reason)
}

/// The ad's media files. For a ready VAST document, only their types are known.
pub fn files(ours: &Value) -> Vec<Value> {
    if has(ours, "adm") {
        return texts(ours, "mimes").iter().map(|mime| json!({ "mime": mime })).collect();
    }
    let with_delivery = |file: &Value| {
        let mut file = file.clone();
        file["delivery"] = int(&file, "delivery").unwrap_or(2).into();
        for side in ["w", "h"] {
            file[side] = int(&file, side).or(int(ours, side)).into();
        }
        file
    };
    list(ours, "media").iter().map(with_delivery).collect()
}

/// The media files that the player takes.
pub fn playable(ours: &Value, offer: &Value) -> Vec<Value> {
    let plays = |file: &Value| {
        texts(offer, "mimes").contains(&text(file, "mime"))
            && bitrate(file, offer)
            && delivered(file, offer)
            && unboxed(file, offer)
    };
    files(ours).into_iter().filter(plays).collect()
}

fn bitrate(file: &Value, offer: &Value) -> bool {
    let (least, most) = (int(offer, "minbitrate"), int(offer, "maxbitrate"));
    int(file, "bitrate")
        .is_none_or(|rate| least.is_none_or(|least| least <= rate) && most.is_none_or(|most| rate <= most))
}

fn delivered(file: &Value, offer: &Value) -> bool {
    let accepted = ints(offer, "delivery");
    accepted.is_empty() || int(file, "delivery").is_none_or(|delivery| accepted.contains(&delivery))
}

fn duration(seconds: i64, offer: &Value) -> bool {
    let required = ints(offer, "rqddurs");
    let extension = int(offer, "maxextended").unwrap_or(0);
    let in_range = int(offer, "minduration").is_none_or(|least| least <= seconds)
        && int(offer, "maxduration").is_none_or(|most| extension == -1 || seconds <= most + extension);
    let fits = if required.is_empty() { in_range } else { required.contains(&seconds) };
    fits && int(offer, "poddur").is_none_or(|all| seconds <= all)
}

/// The number of companions that fit into a slot.
pub fn companions(ours: &Value, offer: &Value) -> usize {
    let kinds = ints(offer, "companiontype");
    let fits = |companion: &&Value| {
        let (kind, mime) = match companion {
            one if has(one, "static") => (1, if has(one, "mime") { text(one, "mime") } else { "image/png" }),
            one if has(one, "html") => (2, "text/html"),
            _ => (3, "text/html"),
        };
        let same_size = |size: &Value| int(size, "w") == int(companion, "w") && int(size, "h") == int(companion, "h");
        let takes = |slot: &Value| {
            let mimes = texts(slot, "mimes");
            let btype = int(companion, "btype").or((kind == 3).then_some(4));
            super::odd::of_offer("banner", slot).is_none()
                && (same_size(slot) || list(slot, "format").iter().any(same_size))
                && (mimes.is_empty() || mimes.contains(&mime))
                && btype.is_none_or(|btype| !ints(slot, "btype").contains(&btype))
                && ints(companion, "attr").iter().all(|attribute| !ints(slot, "battr").contains(attribute))
                && ints(companion, "api").iter().all(|api| ints(slot, "api").contains(api))
        };
        (kinds.is_empty() || kinds.contains(&kind)) && list(offer, "companionad").iter().any(takes)
    };
    list(ours, "companions").iter().filter(fits).count()
}

/// Whether an ad or a file has the player's proportions, if the player shows no boxes. An unknown size fits.
fn unboxed(ours: &Value, offer: &Value) -> bool {
    if int(offer, "boxingallowed") != Some(0) {
        return true;
    }
    let side = |of: &Value, key: &str| at(of, key).as_i64();
    let Some(player) = side(offer, "w").zip(side(offer, "h")) else { return true };
    side(ours, "w").zip(side(ours, "h")).is_none_or(|(w, h)| w * player.1 == h * player.0)
}
