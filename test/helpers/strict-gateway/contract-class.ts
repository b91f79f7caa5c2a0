import { any, type Check, closed, list, map, missable, open, text } from "./checks.ts";
import { felt, u64 } from "./numbers.ts";

/** Hex, or a number. */
const offset: Check = (value, path) => (typeof value === "string" ? felt : u64)(value, path);

function tables(entryPoint: Check): Check {
  const table = list(entryPoint);
  return closed({ EXTERNAL: table, L1_HANDLER: table, CONSTRUCTOR: table });
}

const sierra = closed({
  abi: text,
  sierra_program: list(felt),
  contract_class_version: text,
  entry_points_by_type: tables(closed({ selector: felt, function_idx: u64 })),
});

/** A program counter as a member name. */
const programCounter: Check = (name, path) => {
  u64(/^\d+$/.test(name as string) ? BigInt(name as string) : null, path);
};

const legacy = closed({
  abi: any,
  program: closed({
    attributes: missable(list(any)),
    builtins: list(text),
    compiler_version: missable(text),
    data: list(text),
    debug_info: missable(any),
    hints: map(programCounter, list(any)),
    identifiers: any,
    main_scope: text,
    prime: text,
    reference_manager: any,
  }),
  entry_points_by_type: tables(closed({ selector: felt, offset })),
});

/** Strict check of a response of get_class_by_hash. */
export const contractClass: Check = (value, path) => {
  const isSierra = typeof value === "object" && value !== null && "sierra_program" in value;
  (isSierra ? sierra : legacy)(value, path);
};

const casmEntryPoints = list(open({ selector: felt, offset: u64, builtins: list(text) }));

/** Strict check of a response of get_compiled_class_by_class_hash. */
export const compiledClass = open({
  bytecode: list(felt),
  bytecode_segment_lengths: missable(any),
  compiler_version: text,
  hints: any,
  entry_points_by_type: open({
    EXTERNAL: casmEntryPoints,
    L1_HANDLER: casmEntryPoints,
    CONSTRUCTOR: casmEntryPoints,
  }),
  prime: text,
});
