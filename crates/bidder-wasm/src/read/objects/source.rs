//! `Source` (§3.2.2), of which only the supply chain is read: `SupplyChain` and its nodes
//! (§3.2.25, §3.2.26).

use super::member;
use crate::read::key::name;
use crate::read::walk::Value;
use crate::request::{Node, SupplyChain};

/// `source.schain`, else `source.ext.schain`.
pub(super) fn schain<'a>(value: Value<'_, 'a, '_>) -> Option<SupplyChain<'a>> {
    let (mut own, mut ext) = (None, None);
    for (key, value) in value.object()? {
        match key {
            name::schain => own = chain(value),
            name::ext => ext = member(value, name::schain).and_then(chain),
            _ => {}
        }
    }
    own.or(ext)
}

fn chain<'a>(value: Value<'_, 'a, '_>) -> Option<SupplyChain<'a>> {
    let mut chain = SupplyChain::default();
    for (key, value) in value.object()? {
        match key {
            name::complete => chain.complete = value.flag(),
            name::nodes => chain.nodes = value.objects(node),
            _ => {}
        }
    }
    Some(chain)
}

fn node<'a>(value: Value<'_, 'a, '_>) -> Option<Node<'a>> {
    let mut node = Node::default();
    for (key, value) in value.object()? {
        match key {
            name::asi => node.asi = value.text_or_empty(),
            name::sid => node.sid = value.text_or_empty(),
            _ => {}
        }
    }
    Some(node)
}
