//! The `csv` crate: one line per bid, all domains in one field.

use super::{Shape, micros, price};
use crate::data::{Bid, Record};

type Line<'r> = (&'r str, &'r str, f64, &'r str, &'r str, &'r str, &'r str, i64, i64, i64, Option<&'r str>);

pub(super) fn write(shape: Shape, records: &[Record], out: &mut Vec<u8>) {
    if shape == Shape::Response {
        return;
    }
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    for Record { bid, domains, .. } in records {
        let Bid { id, impid, micros: amount, cid, crid, adm, w, h, exp, dealid, .. } = bid;
        let line: Line<'_> = (id, impid, price(*amount), cid, crid, domains, adm, *w, *h, *exp, dealid.as_deref());
        // Writing to memory cannot fail, and all lines have the same number of fields.
        let _ = writer.serialize(line);
    }
    let _ = writer.flush();
}

pub(super) fn read(_: Shape, written: &[u8]) -> Option<Vec<Bid>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(written);
    let mut line = csv::StringRecord::new();
    let mut bids = Vec::new();
    while reader.read_record(&mut line).ok()? {
        let (id, impid, amount, campaign, creative, domains, adm, w, h, exp, dealid) =
            line.deserialize::<Line<'_>>(None).ok()?;
        bids.push(Bid {
            id: id.to_owned(),
            impid: impid.to_owned(),
            micros: micros(amount),
            cid: campaign.to_owned(),
            crid: creative.to_owned(),
            adomain: domains.split(' ').map(ToOwned::to_owned).collect(),
            adm: adm.to_owned(),
            w,
            h,
            exp,
            dealid: dealid.map(ToOwned::to_owned),
        });
    }
    Some(bids)
}
