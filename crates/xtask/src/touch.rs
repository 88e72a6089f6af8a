//! `cargo xtask touch FROM TO`: a module that tells what it touches, code and data.
//!
//! It imports `touch.run(stretch)`, called before each stretch is executed, and `touch.read(address, offset) -> address`,
//! called before each load from its memory but those of single lanes. Its section `stretches` is a JSON list with one entry a
//! stretch: the number of its function, its bytes in FROM, its instructions. Reads by `memory.copy` are not reported.

use std::{borrow::Cow, error::Error, fs};

use walrus::{
    CustomSection, IdsToIndices, Module, ValType,
    ir::{Call, Const, Instr, LoadSimdKind, Value},
};

use crate::stretch::{Placed, added, change};

const IMPORTED: &str = "touch";

pub(crate) fn touch(from: &str, to: &str) -> Result<(), Box<dyn Error>> {
    let mut module = Module::from_buffer(&fs::read(from)?)?;
    let takes_stretch = module.types.add(&[ValType::I32], &[]);
    let takes_place = module.types.add(&[ValType::I32, ValType::I32], &[ValType::I32]);
    let (run, _) = module.add_import_func(IMPORTED, "run", takes_stretch);
    let (read, _) = module.add_import_func(IMPORTED, "read", takes_place);

    let mut stretches = Vec::new();
    for (number, (_, function)) in module.funcs.iter_local_mut().enumerate() {
        let mut own = Vec::new();
        let first = stretches.len();
        change(function, &mut |stretch| {
            let begin = stretch.first().map_or(0, |(_, at)| at.data());
            let told = added([constant(first + own.len()), Instr::Call(Call { func: run })]);
            own.push((begin, stretch.len()));
            told.into_iter().chain(stretch.into_iter().flat_map(|placed| reading(placed, read))).collect()
        });
        stretches.extend(sized(&own).map(|(bytes, instructions)| [number, bytes, instructions]));
    }
    module.customs.add(Listed(format!("{stretches:?}").into_bytes()));
    Ok(fs::write(to, module.emit_wasm())?)
}

/// The instruction, told if it loads.
fn reading(placed: Placed, read: walrus::FunctionId) -> Vec<Placed> {
    let offset = match &placed.0 {
        Instr::Load(load) => load.arg.offset,
        Instr::LoadSimd(load) if !is_lane(load.kind) => load.arg.offset,
        _ => return vec![placed],
    };
    let told = added([constant(usize::try_from(offset).unwrap_or_default()), Instr::Call(Call { func: read })]);
    told.into_iter().chain([placed]).collect()
}

/// Whether it loads into a part of a vector, which lies above the address.
fn is_lane(kind: LoadSimdKind) -> bool {
    use LoadSimdKind::{V128Load8Lane, V128Load16Lane, V128Load32Lane, V128Load64Lane};
    matches!(kind, V128Load8Lane(_) | V128Load16Lane(_) | V128Load32Lane(_) | V128Load64Lane(_))
}

/// The bytes and instructions of each stretch. A stretch ends where the next one begins.
fn sized(own: &[(u32, usize)]) -> impl Iterator<Item = (usize, usize)> {
    let mut begins: Vec<u32> = own.iter().map(|(begin, _)| *begin).collect();
    begins.sort_unstable();
    own.iter().map(move |&(begin, instructions)| {
        let behind = begins.partition_point(|other| *other <= begin);
        // The end of the last stretch is unknown: one byte an instruction.
        let bytes = begins.get(behind).map_or(instructions, |end| (end - begin) as usize);
        (bytes, instructions)
    })
}

fn constant(number: usize) -> Instr {
    Instr::Const(Const { value: Value::I32(i32::try_from(number).unwrap_or(i32::MAX)) })
}

/// The list of stretches.
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
