//! `cargo xtask count FROM TO`: makes a Wasm module that counts the instructions that it executes.
//!
//! An addition goes before each basic block. Equal inputs give equal counts on every machine. Every instruction counts
//! 1, even a `memory.copy` of a megabyte.

use std::{error::Error, fs};

use walrus::{
    ConstExpr, Module, ValType,
    ir::{BinaryOp, Binop, Const, GlobalGet, GlobalSet, Instr, Value},
};

use crate::basic_block::{added, change};

/// The exported global with the count, an i64.
const EXPORT: &str = "executed";

pub(crate) fn count(from: &str, to: &str) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(from)?)?;
    let global = module.globals.add_local(ValType::I64, true, false, ConstExpr::Value(Value::I64(0)));
    module.exports.add(EXPORT, global);
    for (_, function) in module.funcs.iter_local_mut() {
        change(function, &mut |block| {
            let executed = i64::try_from(block.len()).unwrap_or(i64::MAX);
            let addition = added([
                Instr::GlobalGet(GlobalGet { global }),
                Instr::Const(Const { value: Value::I64(executed) }),
                Instr::Binop(Binop { op: BinaryOp::I64Add }),
                Instr::GlobalSet(GlobalSet { global }),
            ]);
            addition.into_iter().chain(block).collect()
        });
    }
    Ok(fs::write(to, module.emit_wasm())?)
}
