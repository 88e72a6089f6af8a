//! Finds the basic blocks of Wasm functions: instructions that always execute together, one after the other.

use std::mem;

use walrus::{
    LocalFunction,
    ir::{Instr, InstrLocId, InstrSeq, VisitorMut, dfs_pre_order_mut},
};

/// An instruction and its position in the file.
pub(crate) type Placed = (Instr, InstrLocId);

/// Replaces each basic block of a function with the result of `change`.
pub(crate) fn change(function: &mut LocalFunction, change: &mut dyn FnMut(Vec<Placed>) -> Vec<Placed>) {
    let entry = function.entry_block();
    dfs_pre_order_mut(&mut Blocks { change }, function, entry);
}

/// Instructions without a position in the file.
pub(crate) fn added<const N: usize>(instructions: [Instr; N]) -> [Placed; N] {
    instructions.map(|instruction| (instruction, InstrLocId::default()))
}

struct Blocks<'a> {
    change: &'a mut dyn FnMut(Vec<Placed>) -> Vec<Placed>,
}

impl VisitorMut for Blocks<'_> {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let mut rest = mem::take(&mut sequence.instrs).into_iter().peekable();
        while rest.peek().is_some() {
            let mut block = Vec::new();
            for (instruction, at) in rest.by_ref() {
                let is_last = may_branch(&instruction);
                block.push((instruction, at));
                if is_last {
                    break;
                }
            }
            sequence.instrs.extend((self.change)(block));
        }
    }
}

/// Whether an instruction other than the next one may follow. A call does not count: it returns, or ends the run.
fn may_branch(instruction: &Instr) -> bool {
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
