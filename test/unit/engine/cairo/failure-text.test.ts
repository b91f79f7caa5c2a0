import { describe, expect, test } from "bun:test";
import { CAUSES, SEGMENT_KINDS, type VmCause, type VmFailureRecord } from "#kernels/vm/index.ts";
import { failureText } from "#engine/cairo/failure-text.ts";

const A = { segment: 3, offset: 4 };
const B = { segment: 5, offset: 6 };
const RECORD: Omit<VmFailureRecord, "cause"> = {
  inHint: false,
  detail: 0,
  extra: { segment: 7, offset: 8 },
  first: A,
  second: B,
};

/**
 * Messages of cairo-vm 3.2.0 (vm_errors.rs, memory_errors.rs, math_errors.rs, runner_errors.rs).
 */
const REFERENCE_TEXTS: readonly (readonly [VmCause, Partial<VmFailureRecord>, string])[] = [
  ["none", {}, "Unexpected Failure"],
  ["unknown_cell", {}, "Unknown memory cell at address 3:4"],
  ["expected_integer", {}, "Expected integer at address 3:4"],
  ["expected_address", {}, "Expected relocatable at address 3:4"],
  [
    "inconsistent",
    { first: 9n },
    "Inconsistent memory assignment at address Relocatable { segment_index: 7, offset: 8 }. " +
      "Int(9) != RelocatableValue(Relocatable { segment_index: 5, offset: 6 })",
  ],
  ["unallocated", { second: 2n }, "Can't insert into segment #3; memory only has 2 segment"],
  ["memory_limit", {}, "Vector capacity exceeded"],
  ["capacity", {}, "Vector capacity exceeded"],
  [
    "range",
    { first: 1n << 96n, detail: 96 },
    "Range-check validation failed, number 79228162514264337593543950336 is out of valid range [0, 79228162514264337593543950336]",
  ],
  [
    "range_not_integer",
    {},
    "Range-check validation failed, encountered non-int value at address 3:4",
  ],
  ["add_addresses", {}, "Operation failed: 3:4 + 5:6, can't add two relocatable values"],
  ["add_exceeded", { second: 9n }, "Operation failed: 3:4 + 9, maximum offset value exceeded"],
  [
    "add_offset_exceeded",
    { second: 9n },
    "Operation failed: 3:4 + 9, maximum offset value exceeded",
  ],
  [
    "sub_segments",
    {},
    "Operation failed: 3:4 - 5:6, can't subtract two relocatable values with different segment indexes",
  ],
  ["sub_negative", { second: 9n }, "Operation failed: 3:4 - 9, offsets cant be negative"],
  ["sub_offset_negative", { second: 9n }, "Operation failed: 3:4 - 9, offsets cant be negative"],
  [
    "sub_from_integer",
    { first: 9n },
    "Operation failed 9 - 5:6, can't subtract a relocatable value from an integer",
  ],
  [
    "mul_address",
    {},
    "Failed to compute Res.MUL: Could not complete computation of non pure values 3:4 * 5:6",
  ],
  ["not_an_address", {}, "Memory addresses must be relocatable"],
  ["unknown_op0", {}, "op0 must be known in double dereference"],
  ["operand_op0", {}, "Couldn't compute operand op0. Unknown value for memory cell 3:4"],
  ["operand_op1", {}, "Couldn't compute operand op1. Unknown value for memory cell 3:4"],
  ["no_dst", {}, "Couldn't get or load dst"],
  ["assert_eq", {}, "An ASSERT_EQ instruction failed: 3:4 != 5:6."],
  [
    "return_pc",
    {},
    "Call failed to write return-pc (inconsistent op0): 3:4 != 5:6. Did you forget to increment ap?",
  ],
  [
    "return_fp",
    {},
    "Call failed to write return-fp (inconsistent dst): 3:4 != 5:6. Did you forget to increment ap?",
  ],
  ["jump_unconstrained", {}, "Res.UNCONSTRAINED cannot be used with PcUpdate.JUMP"],
  ["jump_rel_not_integer", {}, "A relocatable value as Res cannot be used with PcUpdate.JUMP_REL"],
  ["ap_unconstrained", {}, "Res.UNCONSTRAINED cannot be used with ApUpdate.ADD"],
  ["res_unconstrained", {}, "Res.UNCONSTRAINED cannot be used with Opcode.ASSERT_EQ"],
  ["not_an_instruction", {}, "Instruction should be an int"],
  ["immediate_offset", {}, "In immediate mode, off2 should be 1"],
  ["to_usize", { first: 9n }, "Conversion to usize failed for Felt252 9"],
  ["not_u32", { first: 9n }, "Conversion to u32 failed for Felt252 9"],
  [
    "builtin_integer",
    { detail: SEGMENT_KINDS.indexOf("poseidon") },
    "poseidon_builtin: Expected integer at address 3:4",
  ],
  [
    "bitwise_range",
    { detail: 251, second: 9n },
    "Expected integer at address Relocatable { segment_index: 3, offset: 4 } to be smaller than 2^251, Got 9",
  ],
  [
    "ec_not_on_curve",
    { first: 255n, second: 16n },
    "EcOpBuiltin: point (0xff, 0x10) is not on the curve",
  ],
  [
    "ec_same_x",
    {},
    "Cannot apply EC operation: computation reached two points with the same x coordinate.",
  ],
  [
    "auto_deduction",
    { detail: SEGMENT_KINDS.indexOf("pedersen"), first: 9n },
    "Inconsistent auto-deduction for pedersen_builtin, expected 9, got Some(RelocatableValue(Relocatable { segment_index: 5, offset: 6 }))",
  ],
  [
    "auto_deduction",
    { detail: SEGMENT_KINDS.indexOf("bitwise"), first: 9n, second: undefined },
    "Inconsistent auto-deduction for bitwise_builtin, expected 9, got None",
  ],
];

const FAULTS: readonly (readonly [number, string])[] = [
  [0, "Invalid op1_register value: 9"],
  [1, "Invalid pc_update value: 9"],
  [2, "Invalid res value: 9"],
  [3, "Invalid opcode value: 9"],
  [4, "Invalid opcode extension value: 9"],
  [5, "Blake2s opcode invalid flags 9"],
  [6, "QM31 add mul opcode invalid flags 9"],
  [7, "Invalid ap_update value: 9"],
];

/** Causes that only this machine reports, or with another message. */
const OWN: readonly VmCause[] = [
  "host",
  "bad_instruction",
  "unsupported",
  "hint_division_by_zero",
  "hint_no_dictionary",
  "hint_state",
  "hint_operand",
];

describe("failureText", () => {
  test.each(REFERENCE_TEXTS)("%s", (cause, parts, expected) => {
    expect(failureText({ ...RECORD, cause, ...parts })).toBe(expected);
  });

  test.each(FAULTS)("describes fault %i of an instruction", (detail, expected) => {
    expect(failureText({ ...RECORD, cause: "bad_instruction", detail, second: 9n })).toBe(expected);
  });

  test("has an expected text for every cause of the reference machine", () => {
    const covered = new Set([...REFERENCE_TEXTS.map(([cause]) => cause), ...OWN]);
    expect(Object.keys(CAUSES).filter((cause) => !covered.has(cause as VmCause))).toEqual([]);
  });

  test("inserts values literally", () => {
    const first = { segment: 1, offset: 2, exactOffset: 1n << 63n };
    expect(failureText({ ...RECORD, cause: "unknown_cell", first })).toBe(
      "Unknown memory cell at address 1:9223372036854775808",
    );
  });
});
