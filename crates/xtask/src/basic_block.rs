//! Stretches: instructions of WebAssembly that are executed one after the other, as a whole.

use std::mem;

use walrus::{
    LocalFunction,
    ir::{Instr, InstrLocId, InstrSeq, VisitorMut, dfs_pre_order_mut},
};

/// An instruction and its place in the file.
pub(crate) type Placed = (Instr, InstrLocId);

/// Replaces each stretch of a function by what `change` makes of it.
pub(crate) fn change(function: &mut LocalFunction, change: &mut dyn FnMut(Vec<Placed>) -> Vec<Placed>) {
    let entry = function.entry_block();
    dfs_pre_order_mut(&mut Stretches { change }, function, entry);
}

/// Instructions that have no place in the file.
pub(crate) fn added<const N: usize>(instructions: [Instr; N]) -> [Placed; N] {
    instructions.map(|instruction| (instruction, InstrLocId::default()))
}

struct Stretches<'a> {
    change: &'a mut dyn FnMut(Vec<Placed>) -> Vec<Placed>,
}

impl VisitorMut for Stretches<'_> {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let mut rest = mem::take(&mut sequence.instrs).into_iter().peekable();
        while rest.peek().is_some() {
            let mut stretch = Vec::new();
            for (instruction, at) in rest.by_ref() {
                let is_last = may_go_elsewhere(&instruction);
                stretch.push((instruction, at));
                if is_last {
                    break;
                }
            }
            sequence.instrs.extend((self.change)(stretch));
        }
    }
}

/// Whether what stands behind it need not be executed next, if at all. A call comes back, or all is over.
fn may_go_elsewhere(instruction: &Instr) -> bool {
    matches!(
        instruction,
        Instr::Block(_)
            | Instr::Loop(_)
            | Instr::IfElse(_)
            | Instr::Br(_)
            | Instr::BrIf(_)
            | Instr::BrTable(_)
            | Instr::Return(_)
            | Instr::Unreachable(_)
    )
}
