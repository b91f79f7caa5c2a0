/**
 * Constants shared by the machine's kernel and its host. `scripts/kernels.ts` writes the kernel's side
 * (assembly/abi.generated.ts) from {@link VM_ABI}, and the host refuses a kernel built from other constants.
 *
 * The position of a name in its list is its number. The kernel does not compile if it uses a name that the
 * lists lack. The host does not compile if a failure text in {@link CAUSES} has a placeholder without a
 * formatter. A test fails for a name that the kernel does not use.
 *
 * This file may import only data: the build of the kernels uses it.
 */
import { INSTRUCTION } from "./instruction.ts";

/**
 * Causes of a failed run with their texts, in the wording of cairo-vm 3.2.0. Placeholders in braces refer to
 * the failure record (src/engine/cairo/failure-text.ts): `first` and `second` are its two values.
 */
export const CAUSES = {
  none: "Unexpected Failure",
  /** The host made the run fail, and holds the reason. */
  host: "",
  unknown_cell: "Unknown memory cell at address {first}",
  expected_integer: "Expected integer at address {first}",
  expected_address: "Expected relocatable at address {first}",
  inconsistent:
    "Inconsistent memory assignment at address {extra}. {first:debug} != {second:debug}",
  unallocated: "Can't insert into segment #{first:segment}; memory only has {second} segment",
  /** Limit of this machine, reported as a separate outcome: its text is never shown. */
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
  /** An offset that exceeds the memory of any machine. */
  capacity: "Vector capacity exceeded",
} as const;

/** Name of a cause of a failed run: a key of {@link CAUSES}. */
export type VmCause = keyof typeof CAUSES;

/** Reasons why a word is not an instruction (`bad_instruction`), each with the start of its text. */
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

/**
 * Results of `run`, which executes up to a number of steps: more steps remain (`slice`), the run
 * has ended, or it has failed.
 */
export const STATUSES = ["slice", "done", "failed"] as const;

/** One of {@link STATUSES}. */
export type VmStatus = (typeof STATUSES)[number];

/** Whether the input cells of a builtin's instances are written: all, too few, or with gaps. */
export const INPUT_STATES = ["complete", "too_few", "missing"] as const;

/** One of {@link INPUT_STATES}. */
export type InputState = (typeof INPUT_STATES)[number];

/** Builtins in the order of the protocol's files, with cells and inputs per instance. */
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

/** Kinds of memory segments: plain, one for each builtin, program, and execution. */
export const SEGMENT_KINDS = ["plain", ...BUILTIN_NAMES, "program", "execution"] as const;

/** One of {@link SEGMENT_KINDS}. */
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** Code that executes an instruction: first the slow path, then frequent shapes. */
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
  /** `hints` whose only hint compares cells or constants. */
  "test_hint",
  /** [dst] = [op0] - k for 0 < k < 2^31. */
  "sub_immediate",
  /** `hints` with several hints, or one that calls the host. */
  "host_hints",
] as const;

/**
 * Hints of compiled classes: the code that executes each, and its operands in the kernel's order. `=` marks a
 * value, `&` an address, `>` the cell for a result. Code `host` means that the host executes the hint.
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
  // The reference engine makes the syscall at its own pointer, and never reads the operand.
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

/** Code that executes a hint; its position is the hint's number in the words of a program. */
export type HintCode = (typeof HINTS)[keyof typeof HINTS][0];

/** Name of a hint that the host executes. */
export type HostHintName = {
  [N in keyof typeof HINTS]: (typeof HINTS)[N][0] extends "host" ? N : never;
}[keyof typeof HINTS];

/** Codes of {@link HINTS}, in the order of their first use. */
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

/** Layout of a value operand in 32-bit words: form and registers, offset, second operand. */
export const OPERAND = {
  FORM_MASK: 0xff,
  /** Set if the first or second cell is relative to fp. */
  FIRST_FP: 0x100,
  SECOND_FP: 0x200,
  /** Bit of the word of a cell reference, `offset * 2 + (1 for fp)`. */
  CELL_FP: 1,
  BYTES: 12,
} as const;

/** Flags in the upper bits of a cell's top limb. */
export const CELL_FLAGS = {
  KNOWN: 1n << 63n,
  /** The cell holds an address. */
  REL: 1n << 62n,
  ACCESSED: 1n << 61n,
  /** Cell of a builtin that its rule has computed, so that it needs no check at the end. */
  DERIVED: 1n << 60n,
} as const;

/**
 * Sizes and offsets in the machine's memory, in bytes unless named otherwise, and limits of the
 * machine.
 */
export const LAYOUT = {
  CELL_BYTES: 32,
  /** Size of the slot that each cell of a program has. */
  SLOT_BYTES: 32,
  /** Offset in a slot of the address of its hints, 0 if none. */
  SLOT_HINTS: 16,
  /** Number of slow-path slots after a program; an instruction takes two cells at most. */
  SENTINEL_SLOTS: 2,
  PROGRAM_SEGMENT: 0,
  EXECUTION_SEGMENT: 1,
  /** Maximum nesting of frames. */
  MAX_FRAMES: 64,
  /** 2^16 cells: any 16-bit offset from a register stays inside. */
  GUARD_BYTES: 1 << 21,
  /** Number of guards around the frames, and between them and the segment heap. */
  GUARDS: 68,
  /** Log2 of the operating system's page size, the unit of touched memory. */
  PAGE_BITS: 12,
  /** A gap of at least this many cells gets no memory. */
  SPARSE_CELLS: 1 << 10,
  /** Maximum cells of a segment other than the execution segment. */
  MAX_SEGMENT_CELLS: 1 << 26,
  /** Number of cells per transfer to or from the host. */
  TRANSFER_CELLS: 1 << 12,
  /** Represents all offsets from here on; smaller offsets fit in 32 bits. */
  FAR_OFFSET: 0xffffffff,
} as const;

/** Byte offsets of the parts of a failure record. */
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

/** {@link ofBuiltins} by number of the segment kind; 0 for kinds without instances. */
function ofKinds(field: "cells" | "inputs"): Uint8Array {
  const values = ofBuiltins(field);
  return Uint8Array.from(SEGMENT_KINDS, (kind) => values[kind] ?? 0);
}

/**
 * All constants that the host and the machine kernel share, by their names in the kernel's source.
 */
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
