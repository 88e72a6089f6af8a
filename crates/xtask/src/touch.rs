//! `cargo xtask touch FROM TO`: makes a Wasm module that reports the code it runs and the memory it reads.
//!
//! The module imports `touch.run(block)`, called before each basic block, and `touch.read(address, offset) -> address`,
//! called before each load except those of single lanes. Its section `stretches` is a JSON list with one entry for each
//! basic block: the number of its function, how many bytes it has in FROM, and how many instructions. Reads by
//! `memory.copy` are not reported.

use std::{borrow::Cow, error::Error, fs};

use walrus::{
    CustomSection, IdsToIndices, Module, ValType,
    ir::{Call, Const, Instr, LoadSimdKind, Value},
};

use crate::basic_block::{Placed, added, change};

const IMPORTED: &str = "touch";

pub(crate) fn touch(from: &str, to: &str) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(from)?)?;
    let takes_block = module.types.add(&[ValType::I32], &[]);
    let takes_address = module.types.add(&[ValType::I32, ValType::I32], &[ValType::I32]);
    let (run, _) = module.add_import_func(IMPORTED, "run", takes_block);
    let (read, _) = module.add_import_func(IMPORTED, "read", takes_address);

    let mut blocks = Vec::new();
    for (number, (_, function)) in module.funcs.iter_local_mut().enumerate() {
        let mut own = Vec::new();
        let first = blocks.len();
        change(function, &mut |block| {
            let begin = block.first().map_or(0, |(_, at)| at.data());
            let report = added([constant(first + own.len()), Instr::Call(Call { func: run })]);
            own.push((begin, block.len()));
            report.into_iter().chain(block.into_iter().flat_map(|placed| reading(placed, read))).collect()
        });
        blocks.extend(sized(&own).map(|(bytes, instructions)| [number, bytes, instructions]));
    }
    module.customs.add(Listed(format!("{blocks:?}").into_bytes()));
    Ok(fs::write(to, module.emit_wasm())?)
}

/// The instruction, with a report before it if it is a load.
fn reading(placed: Placed, read: walrus::FunctionId) -> Vec<Placed> {
    let offset = match &placed.0 {
        Instr::Load(load) => load.arg.offset,
        Instr::LoadSimd(load) if !is_lane(load.kind) => load.arg.offset,
        _ => return vec![placed],
    };
    let report = added([constant(usize::try_from(offset).unwrap_or_default()), Instr::Call(Call { func: read })]);
    report.into_iter().chain([placed]).collect()
}

/// Whether the instruction loads or stores one lane of a vector. Such loads are not reported, because the address is not
/// on top of the stack.
fn is_lane(kind: LoadSimdKind) -> bool {
    use LoadSimdKind::{
        V128Load8Lane, V128Load16Lane, V128Load32Lane, V128Load64Lane, V128Store8Lane, V128Store16Lane,
        V128Store32Lane, V128Store64Lane,
    };
    let is_load = matches!(kind, V128Load8Lane(_) | V128Load16Lane(_) | V128Load32Lane(_) | V128Load64Lane(_));
    is_load || matches!(kind, V128Store8Lane(_) | V128Store16Lane(_) | V128Store32Lane(_) | V128Store64Lane(_))
}

/// The bytes and instructions of each basic block. A block ends where the next one begins.
fn sized(own: &[(u32, usize)]) -> impl Iterator<Item = (usize, usize)> {
    let mut begins: Vec<u32> = own.iter().map(|(begin, _)| *begin).collect();
    begins.sort_unstable();
    own.iter().map(move |&(begin, instructions)| {
        let next = begins.partition_point(|other| *other <= begin);
        // The end of the last block is unknown: count one byte for each instruction.
        let bytes = begins.get(next).map_or(instructions, |end| (end - begin) as usize);
        (bytes, instructions)
    })
}

fn constant(number: usize) -> Instr {
    Instr::Const(Const { value: Value::I32(i32::try_from(number).unwrap_or(i32::MAX)) })
}

/// The custom section with the list of basic blocks.
#[derive(Debug)]
struct Listed(Vec<u8>);

impl CustomSection for Listed {
    fn name(&self) -> &'static str {
        "stretches"
    }

    fn data(&self, _: &IdsToIndices) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.0)
    }
}
