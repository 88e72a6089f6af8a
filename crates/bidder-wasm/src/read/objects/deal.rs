//! The terms of sale beyond a floor: `Pmp` and `Deal` (§3.2.11, §3.2.12), and `DurFloors`
//! (§3.2.35), which video and audio have too.

use crate::read::walk::Value;
use crate::request::{Deal, DurFloor, Text};

#[derive(Default)]
pub(super) struct Pmp<'a> {
    pub(super) private_auction: bool,
    pub(super) deals: &'a [Deal<'a>],
}

impl<'a> Pmp<'a> {
    pub(super) fn read(value: Value<'_, 'a, '_>) -> Pmp<'a> {
        let mut pmp = Pmp::default();
        for (key, value) in value.members() {
            match key {
                b"private_auction" => pmp.private_auction = value.flag(),
                b"deals" => pmp.deals = value.objects(deal),
                _ => {}
            }
        }
        pmp
    }
}

fn deal<'a>(value: Value<'_, 'a, '_>) -> Option<Deal<'a>> {
    let mut deal = Deal::default();
    let mut id: Option<Text<'a>> = None;
    for (key, value) in value.object()? {
        match key {
            b"id" => id = value.literal(),
            b"bidfloor" => deal.bidfloor = value.floor(),
            b"bidfloorcur" => deal.bidfloorcur = value.currency(),
            b"at" => deal.at = value.integer_or_zero(),
            b"wseat" => deal.wseat = value.texts(),
            b"wadomain" => deal.wadomain = value.texts(),
            b"guar" => deal.guar = value.flag(),
            b"mincpmpersec" => deal.mincpmpersec = value.floor(),
            b"durfloors" => deal.durfloors = value.objects(dur_floor),
            _ => {}
        }
    }
    deal.id = id?;
    Some(deal)
}

pub(super) fn dur_floor(value: Value<'_, '_, '_>) -> Option<DurFloor> {
    let mut floor = DurFloor::default();
    for (key, value) in value.object()? {
        match key {
            b"mindur" => floor.mindur = value.integer_or_zero(),
            b"maxdur" => floor.maxdur = value.integer_or_zero(),
            b"bidfloor" => floor.bidfloor = value.floor(),
            _ => {}
        }
    }
    Some(floor)
}
