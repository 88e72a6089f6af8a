//! The terms of sale beyond a floor: `Pmp` and `Deal` (§3.2.11, §3.2.12), and `DurFloors`
//! (§3.2.35), which video and audio have too.

use crate::limits::MAX_ID_BYTES;
use crate::read::Needs;
use crate::read::key::name;
use crate::read::walk::Value;
use crate::request::{Deal, DurFloor, Text};

#[derive(Default)]
pub(super) struct Pmp<'a> {
    pub(super) private_auction: bool,
    pub(super) deals: &'a [Deal<'a>],
}

impl<'a> Pmp<'a> {
    pub(super) fn read(value: Value<'_, 'a, '_>, needs: &Needs) -> Pmp<'a> {
        let mut pmp = Pmp::default();
        for (key, value) in value.members() {
            match key {
                name::private_auction => pmp.private_auction = value.flag(),
                name::deals if needs.deals => pmp.deals = value.objects(deal),
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
            name::id => id = value.literal(),
            name::bidfloor => deal.bidfloor = value.floor(),
            name::bidfloorcur => deal.bidfloorcur = value.currency(),
            name::at => deal.at = value.integer_or_zero(),
            name::wseat => deal.wseat = value.texts(),
            name::wadomain => deal.wadomain = value.texts(),
            name::guar => deal.guar = value.flag(),
            name::mincpmpersec => deal.mincpmpersec = value.floor(),
            name::durfloors => deal.durfloors = value.objects(dur_floor),
            _ => {}
        }
    }
    deal.id = id.filter(|id| id.value.len() <= MAX_ID_BYTES)?;
    Some(deal)
}

pub(super) fn dur_floor(value: Value<'_, '_, '_>) -> Option<DurFloor> {
    let mut floor = DurFloor::default();
    for (key, value) in value.object()? {
        match key {
            name::mindur => floor.mindur = value.integer_or_zero(),
            name::maxdur => floor.maxdur = value.integer_or_zero(),
            name::bidfloor => floor.bidfloor = value.floor(),
            _ => {}
        }
    }
    Some(floor)
}
