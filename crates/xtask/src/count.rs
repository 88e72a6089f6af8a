//! `cargo xtask count FROM TO`: a module that counts the instructions it executes.
//!
//! Each stretch of instructions that are executed one after the other gets an addition in front. What is counted is what
//! the module executes, whatever runs it: equal inputs, equal counts, on every machine. Every instruction counts 1, a
//! `memory.copy` of a megabyte too.

use std::{error::Error, fs, mem};

use walrus::{
    ConstExpr, GlobalId, Module, ValType,
    ir::{
        BinaryOp, Binop, Const, GlobalGet, GlobalSet, Instr, InstrLocId, InstrSeq, Value, VisitorMut, dfs_pre_order_mut,
    },
};

/// The exported global, an i64.
const EXPORT: &str = "executed";

pub(crate) fn count(from: &str, to: &str) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(from)?)?;
    let counter = module.globals.add_local(ValType::I64, true, false, ConstExpr::Value(Value::I64(0)));
    module.exports.add(EXPORT, counter);
    for (_, function) in module.funcs.iter_local_mut() {
        let entry = function.entry_block();
        dfs_pre_order_mut(&mut Counting { counter }, function, entry);
    }
    Ok(fs::write(to, module.emit_wasm())?)
}

struct Counting {
    counter: GlobalId,
}

impl VisitorMut for Counting {
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
            sequence.instrs.extend(self.addition(stretch.len()));
            sequence.instrs.extend(stretch);
        }
    }
}

impl Counting {
    fn addition(&self, executed: usize) -> [(Instr, InstrLocId); 4] {
        let executed = i64::try_from(executed).unwrap_or(i64::MAX);
        [
            Instr::GlobalGet(GlobalGet { global: self.counter }),
            Instr::Const(Const { value: Value::I64(executed) }),
            Instr::Binop(Binop { op: BinaryOp::I64Add }),
            Instr::GlobalSet(GlobalSet { global: self.counter }),
        ]
        .map(|instruction| (instruction, InstrLocId::default()))
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
