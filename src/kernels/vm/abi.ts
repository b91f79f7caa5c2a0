/**
 * What the machine's kernel and its host agree on: one table. `scripts/kernels.ts` writes the
 * kernel's side of it (assembly/abi.generated.ts) from {@link VM_ABI}, and the host refuses a kernel
 * that was built from another table.
 *
 * Names that are listed without a number have their position as their number. A name that the
 * kernel uses and the table lacks does not compile; a text with an unknown placeholder does not
 * either; a name that the kernel does not use fails a test.
 *
 * This file imports data alone: the kernels are built with it.
 */
import { INSTRUCTION } from "./instruction.ts";

/**
 * Causes of a failed run with their texts, in the wording of cairo-vm 3.2.0. What a record holds
 * stands in braces (src/engine/cairo/failure-text.ts): `first` and `second` are its two values.
 */
export const CAUSES = {
  none: "Unexpected Failure",
  /** The host made the run fail, and knows why. */
  host: "",
  unknown_cell: "Unknown memory cell at address {first}",
  expected_integer: "Expected integer at address {first}",
  expected_address: "Expected relocatable at address {first}",
  inconsistent:
    "Inconsistent memory assignment at address {extra}. {first:debug} != {second:debug}",
  unallocated: "Can't insert into segment #{first:segment}; memory only has {second} segment",
  /** The limit of this machine, which is an outcome of its own: its text is never shown. */
  memory_limit: "Vector capacity exceeded",
  range: "Range-check validation failed, number {first} is out of valid range [0, {limit}]",
  range_not_integer: "Range-check validation failed, encountered non-int value at address {first}",
  add_addresses: "Operation failed: {first} + {second}, can't add two relocatable values",
  add_exceeded: "Operation failed: {first} + {second}, maximum offset value exceeded",
  sub_segments:
    "Operation failed: {first} - {second}, can't subtract two relocatable values with different segment indexes",
  sub_negative: "Operation failed: {first} - {second}, offsets cant be negative",
  sub_from_integer:
    "Operation failed {first} - {second}, can't subtract a relocatable value from an integer",
  mul_address:
    "Failed to compute Res.MUL: Could not complete computation of non pure values {first} * {second}",
  not_an_address: "Memory addresses must be relocatable",
  unknown_op0: "op0 must be known in double dereference",
  operand_op0: "Couldn't compute operand op0. Unknown value for memory cell {first}",
  operand_op1: "Couldn't compute operand op1. Unknown value for memory cell {first}",
  no_dst: "Couldn't get or load dst",
  assert_eq: "An ASSERT_EQ instruction failed: {first} != {second}.",
  return_pc:
    "Call failed to write return-pc (inconsistent op0): {first} != {second}. Did you forget to increment ap?",
  return_fp:
    "Call failed to write return-fp (inconsistent dst): {first} != {second}. Did you forget to increment ap?",
  jump_unconstrained: "Res.UNCONSTRAINED cannot be used with PcUpdate.JUMP",
  jump_rel_not_integer: "A relocatable value as Res cannot be used with PcUpdate.JUMP_REL",
  ap_unconstrained: "Res.UNCONSTRAINED cannot be used with ApUpdate.ADD",
  not_an_instruction: "Instruction should be an int",
  bad_instruction: "{fault}{second}",
  immediate_offset: "In immediate mode, off2 should be 1",
  to_usize: "Conversion to usize failed for Felt252 {first}",
  builtin_integer: "{builtin}: Expected integer at address {first}",
  bitwise_range:
    "Expected integer at address {first:address} to be smaller than 2^{detail}, Got {second}",
  ec_not_on_curve: "EcOpBuiltin: point ({first:hex}, {second:hex}) is not on the curve",
  ec_same_x:
    "Cannot apply EC operation: computation reached two points with the same x coordinate.",
  not_u32: "Conversion to u32 failed for Felt252 {first}",
  unsupported: "Instructions of the QM31 extension are not supported.",
  hint_division_by_zero: "attempt to divide by zero",
  hint_no_dictionary: "The given value does not point to a known dictionary.",
  hint_state: "A hint was executed in a state that it does not expect.",
  hint_operand: "A hint has an operand that it does not expect.",
  auto_deduction:
    "Inconsistent auto-deduction for {builtin}, expected {first}, got {second:option}",
  sub_offset_negative: "Operation failed: {first} - {second}, offsets cant be negative",
  res_unconstrained: "Res.UNCONSTRAINED cannot be used with Opcode.ASSERT_EQ",
  add_offset_exceeded: "Operation failed: {first} + {second}, maximum offset value exceeded",
  /** An offset that no machine has memory for. */
  capacity: "Vector capacity exceeded",
} as const;

/** Name of a cause. */
export type VmCause = keyof typeof CAUSES;

/** What makes a word no instruction (`bad_instruction`), with the beginning of its text. */
export const INSTRUCTION_FAULTS = {
  op1: "Invalid op1_register value: ",
  pc: "Invalid pc_update value: ",
  res: "Invalid res value: ",
  opcode: "Invalid opcode value: ",
  extension: "Invalid opcode extension value: ",
  blake: "Blake2s opcode invalid flags ",
  qm31: "QM31 add mul opcode invalid flags ",
  ap: "Invalid ap_update value: ",
} as const;

/** How a slice of a run came back. */
export const STATUSES = ["slice", "done", "failed"] as const;

/** One of {@link STATUSES}. */
export type VmStatus = (typeof STATUSES)[number];

/** Whether the input cells of a builtin's instances are written: all, too few, or with gaps. */
export const INPUT_STATES = ["complete", "too_few", "missing"] as const;

/** One of {@link INPUT_STATES}. */
export type InputState = (typeof INPUT_STATES)[number];

/** Builtins in the order of the protocol's files, with the cells of an instance. */
export const BUILTINS = {
  output: { cells: 1, inputs: 1 },
  pedersen: { cells: 3, inputs: 2 },
  range_check: { cells: 1, inputs: 1 },
  ecdsa: { cells: 2, inputs: 2 },
  bitwise: { cells: 5, inputs: 2 },
  ec_op: { cells: 7, inputs: 5 },
  keccak: { cells: 16, inputs: 8 },
  poseidon: { cells: 6, inputs: 3 },
  segment_arena: { cells: 3, inputs: 3 },
  range_check96: { cells: 1, inputs: 1 },
  add_mod: { cells: 7, inputs: 7 },
  mul_mod: { cells: 7, inputs: 7 },
} as const;

/** Name of a builtin, without the `_builtin` suffix of the protocol's files. */
export type BuiltinName = keyof typeof BUILTINS;

/** The names of {@link BUILTINS}, in their order. */
export const BUILTIN_NAMES = Object.keys(BUILTINS) as readonly BuiltinName[];

/** What a segment is for. */
export const SEGMENT_KINDS = ["plain", ...BUILTIN_NAMES, "program", "execution"] as const;

/** One of {@link SEGMENT_KINDS}. */
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** Which code executes an instruction: the first one the slow path, the others frequent shapes. */
const HANDLERS = [
  "slow",
  "hints",
  "assert_immediate",
  "assert_cell",
  "assert_dereference",
  "add_immediate",
  "add",
  "mul_immediate",
  "mul",
  "jump",
  "jump_if",
  "call",
  "return",
  "advance_ap",
  "jump_table",
  /** As `hints`, when the only hint compares cells or constants. */
  "test_hint",
  /** [dst] = [op0] - k for 0 < k < 2^31. */
  "sub_immediate",
  /** As `hints`, when one of the hints asks the host, or there are several. */
  "host_hints",
] as const;

/**
 * Hints of compiled classes: what executes each, and its operands in the kernel's order. `=` marks
 * a value, `&` an address, `>` the cell that a result goes to. What the host executes is `host`.
 * Source: cairo-lang-casm, hints.
 */
export const HINTS = {
  AllocSegment: ["alloc_segment", ">dst"],
  AllocConstantSize: ["alloc_constant_size", "=size", ">dst"],
  TestLessThan: ["test_less_than", "=lhs", "=rhs", ">dst"],
  TestLessThanOrEqual: ["test_less_than_or_equal", "=lhs", "=rhs", ">dst"],
  TestLessThanOrEqualAddress: ["test_less_than_or_equal", "=lhs", "=rhs", ">dst"],
  WideMul128: ["wide_mul_128", "=lhs", "=rhs", ">high", ">low"],
  DivMod: ["div_mod", "=lhs", "=rhs", ">quotient", ">remainder"],
  Uint256DivMod: [
    "uint256_div_mod",
    "=dividend0",
    "=dividend1",
    "=divisor0",
    "=divisor1",
    ">quotient0",
    ">quotient1",
    ">remainder0",
    ">remainder1",
  ],
  SquareRoot: ["square_root", "=value", ">dst"],
  Uint256SquareRoot: [
    "uint256_square_root",
    "=value_low",
    "=value_high",
    ">sqrt0",
    ">sqrt1",
    ">remainder_low",
    ">remainder_high",
    ">sqrt_mul_2_minus_remainder_ge_u128",
  ],
  LinearSplit: ["linear_split", "=value", "=scalar", "=max_x", ">x", ">y"],
  AllocFelt252Dict: ["alloc_dictionary", "&segment_arena_ptr"],
  Felt252DictEntryInit: ["dictionary_entry_init", "&dict_ptr", "=key"],
  Felt252DictEntryUpdate: ["dictionary_entry_update", "&dict_ptr", "=value"],
  GetSegmentArenaIndex: ["segment_arena_index", "&dict_end_ptr", ">dict_index"],
  InitSquashData: [
    "init_squash",
    "&dict_accesses",
    "=ptr_diff",
    "=n_accesses",
    ">big_keys",
    ">first_key",
  ],
  GetCurrentAccessIndex: ["access_index", "&range_check_ptr"],
  ShouldSkipSquashLoop: ["should_skip_loop", ">should_skip_loop"],
  GetCurrentAccessDelta: ["access_delta", ">index_delta_minus1"],
  ShouldContinueSquashLoop: ["should_continue_loop", ">should_continue"],
  GetNextDictKey: ["next_key", ">next_key"],
  AssertLeFindSmallArcs: ["small_arcs", "&range_check_ptr", "=a", "=b"],
  AssertLeIsFirstArcExcluded: ["is_first_arc", ">skip_exclude_a_flag"],
  AssertLeIsSecondArcExcluded: ["is_second_arc", ">skip_exclude_b_minus_a"],
  RandomEcPoint: ["random_ec_point", ">x", ">y"],
  FieldSqrt: ["field_sqrt", "=val", ">sqrt"],
  Felt252DictRead: ["dictionary_read", "&dict_ptr", "=key", ">value_dst"],
  Felt252DictWrite: ["dictionary_write", "&dict_ptr", "=key", "=value"],
  // The reference engine makes the syscall where its own pointer stands, and never reads the operand.
  SystemCall: ["system_call"],
  Uint512DivModByUint256: [
    "host",
    "=dividend0",
    "=dividend1",
    "=dividend2",
    "=dividend3",
    "=divisor0",
    "=divisor1",
    ">quotient0",
    ">quotient1",
    ">quotient2",
    ">quotient3",
    ">remainder0",
    ">remainder1",
  ],
  U256InvModN: [
    "host",
    "=b0",
    "=b1",
    "=n0",
    "=n1",
    ">g0_or_no_inv",
    ">g1_option",
    ">s_or_r0",
    ">s_or_r1",
    ">t_or_k0",
    ">t_or_k1",
  ],
  EvalCircuit: ["host", "=n_add_mods", "=add_mod_builtin", "=n_mul_mods", "=mul_mod_builtin"],
} as const satisfies Readonly<
  Record<string, readonly [string, ...`${"=" | "&" | ">"}${string}`[]]>
>;

/** What executes a hint; its position is the hint's number in the words of a program. */
export type HintCode = (typeof HINTS)[keyof typeof HINTS][0];

/** Name of a hint that the host executes. */
export type HostHintName = {
  [N in keyof typeof HINTS]: (typeof HINTS)[N][0] extends "host" ? N : never;
}[keyof typeof HINTS];

/** The codes of {@link HINTS}, in the order of their first use. */
export const HINT_CODES: readonly HintCode[] = [
  ...new Set(Object.values(HINTS).map(([code]) => code)),
];

/** Forms of a hint's value operand; a cell is `[ap + offset]` or `[fp + offset]`. */
export const OPERAND_FORMS = [
  "cell",
  /** [cell + second] */
  "dereference",
  "constant",
  "cell_plus_constant",
  "cell_plus_cell",
  "cell_times_constant",
  "cell_times_cell",
] as const;

/** One of {@link OPERAND_FORMS}. */
export type OperandForm = (typeof OPERAND_FORMS)[number];

/** Words of 32 bits that encode a value operand: form and registers, offset, second operand. */
export const OPERAND = {
  FORM_MASK: 0xff,
  /** The first cell, the second cell is one of fp. */
  FIRST_FP: 0x100,
  SECOND_FP: 0x200,
  /** Of the words of a cell reference, `offset * 2 + (1 for fp)`. */
  CELL_FP: 1,
  BYTES: 12,
} as const;

/** Flags in the upper bits of a cell's top limb. */
export const CELL_FLAGS = {
  KNOWN: 1n << 63n,
  /** The cell holds an address. */
  REL: 1n << 62n,
  ACCESSED: 1n << 61n,
  /** A builtin's cell that its rule has computed and that needs no check at the end. */
  DERIVED: 1n << 60n,
} as const;

/** Sizes and places in memory, in bytes unless named otherwise; and the limits of the machine. */
export const LAYOUT = {
  CELL_BYTES: 32,
  /** Of what is kept for each cell of a program. */
  SLOT_BYTES: 32,
  /** Where in a slot the address of the hints stands, 0 if none. */
  SLOT_HINTS: 16,
  /** Slots of the slow path behind a program; an instruction is two cells at most. */
  SENTINEL_SLOTS: 2,
  PROGRAM_SEGMENT: 0,
  EXECUTION_SEGMENT: 1,
  /** Deepest nesting of frames. */
  MAX_FRAMES: 64,
  /** 2^16 cells: any 16-bit offset from a register stays inside. */
  GUARD_BYTES: 1 << 21,
  /** Around the frames, and between them and the segment heap. */
  GUARDS: 68,
  /** Log2 of the bytes that are touched at once: what the operating system gives. */
  PAGE_BITS: 12,
  /** Cells that are passed over in one go and not written take no memory from here on. */
  SPARSE_CELLS: 1 << 10,
  /** Most cells of a segment that is not the execution segment. */
  MAX_SEGMENT_CELLS: 1 << 26,
  /** Cells that go to or come from the host at once. */
  TRANSFER_CELLS: 1 << 12,
  /** Stands for all offsets from here on; offsets below fit in 32 bits. */
  FAR_OFFSET: 0xffffffff,
} as const;

/** Where the parts of a failure record stand, in bytes. */
export const FAILURE_RECORD = {
  CAUSE: 0,
  IN_HINT: 4,
  DETAIL: 8,
  EXTRA: 16,
  FIRST: 32,
  SECOND: 64,
  BYTES: 96,
} as const;

function ofBuiltins(field: "cells" | "inputs"): Readonly<Record<string, number>> {
  return Object.fromEntries(BUILTIN_NAMES.map((name) => [name, BUILTINS[name][field]]));
}

/** The same by number of a kind of segment; 0 where there are no instances. */
function ofKinds(field: "cells" | "inputs"): Uint8Array {
  const values = ofBuiltins(field);
  return Uint8Array.from(SEGMENT_KINDS, (kind) => values[kind] ?? 0);
}

/** All of it by the names that the kernel has for its parts. */
export const VM_ABI = {
  Cause: Object.keys(CAUSES),
  InstructionFault: Object.keys(INSTRUCTION_FAULTS),
  Status: STATUSES,
  InputState: INPUT_STATES,
  Kind: SEGMENT_KINDS,
  InstanceCells: ofBuiltins("cells"),
  INSTANCE_CELLS: ofKinds("cells"),
  InstanceInputs: ofBuiltins("inputs"),
  INSTANCE_INPUTS: ofKinds("inputs"),
  Handler: HANDLERS,
  Hint: HINT_CODES,
  Form: OPERAND_FORMS,
  Operand: OPERAND,
  CellFlag: CELL_FLAGS,
  Layout: LAYOUT,
  FailureRecord: FAILURE_RECORD,
  ...INSTRUCTION,
};
