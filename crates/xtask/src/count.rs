//! `cargo xtask count FROM TO`: a module that counts the instructions it executes.
//!
//! Each stretch gets an addition in front. What is counted is what the module executes, whatever runs it: equal inputs,
//! equal counts, on every machine. Every instruction counts 1, a `memory.copy` of a megabyte too.

use std::{error::Error, fs};

use walrus::{
    ConstExpr, Module, ValType,
    ir::{BinaryOp, Binop, Const, GlobalGet, GlobalSet, Instr, Value},
};

use crate::stretch::{added, change};

/// The exported global, an i64.
const EXPORT: &str = "executed";

pub(crate) fn count(from: &str, to: &str) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(from)?)?;
    let global = module.globals.add_local(ValType::I64, true, false, ConstExpr::Value(Value::I64(0)));
    module.exports.add(EXPORT, global);
    for (_, function) in module.funcs.iter_local_mut() {
        change(function, &mut |stretch| {
            let executed = i64::try_from(stretch.len()).unwrap_or(i64::MAX);
            let addition = added([
                Instr::GlobalGet(GlobalGet { global }),
                Instr::Const(Const { value: Value::I64(executed) }),
                Instr::Binop(Binop { op: BinaryOp::I64Add }),
                Instr::GlobalSet(GlobalSet { global }),
            ]);
            addition.into_iter().chain(stretch).collect()
        });
    }
    Ok(fs::write(to, module.emit_wasm())?)
}
