import type { Address, CellValue, VmFailureRecord } from "#kernels/vm/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { CAPACITY_TEXT } from "./memory-limit.ts";

/** Text of an address as error texts show it: `2:5`. */
export function addressText(address: Address): string {
  return `${address.segment}:${address.exactOffset ?? address.offset}`;
}

/** Text of a value: decimal, or an address. */
export function valueText(value: CellValue): string {
  if (value === undefined) return "None";
  return typeof value === "bigint" ? value.toString() : addressText(value);
}

/** An address in Rust's debug form. */
export function addressDebugText(address: Address): string {
  const { segment, offset, exactOffset } = address;
  return `Relocatable { segment_index: ${segment}, offset: ${exactOffset ?? offset} }`;
}

/** A value in Rust's debug form. */
export function valueDebugText(value: CellValue): string {
  if (value === undefined) return "None";
  return typeof value === "bigint"
    ? `Int(${value})`
    : `RelocatableValue(${addressDebugText(value)})`;
}

/** A felt in the debug form of the field library. */
export function feltDebugText(value: Felt): string {
  return `0x${value.toString(16)}`;
}

type Writer = (record: VmFailureRecord, first: string, second: string) => string;

const BUILTIN_NAMES: Readonly<Record<number, string>> = {
  3: "pedersen_builtin",
  4: "bitwise_builtin",
  5: "ec_op_builtin",
  6: "poseidon_builtin",
  7: "keccak_builtin",
};

/** Texts of the decoder by the field that is wrong. */
const INSTRUCTION_TEXTS: readonly string[] = [
  "",
  "Invalid op1_register value: ",
  "Invalid pc_update value: ",
  "Invalid res value: ",
  "Invalid opcode value: ",
  "Invalid opcode extension value: ",
  "Blake2s opcode invalid flags ",
  "QM31 add mul opcode invalid flags ",
  "Invalid ap_update value: ",
];

/** By number of src/kernels/vm/assembly/failure.ts; wording of cairo-vm 3.2.0. */
const WRITERS: readonly (Writer | string)[] = [
  "Unexpected Failure",
  "",
  (_, first) => `Unknown memory cell at address ${first}`,
  (_, first) => `Expected integer at address ${first}`,
  (_, first) => `Expected relocatable at address ${first}`,
  ({ extra, first, second }) =>
    `Inconsistent memory assignment at address ${addressDebugText(extra)}. ` +
    `${valueDebugText(first)} != ${valueDebugText(second)}`,
  ({ first, second }) =>
    `Can't insert into segment #${(first as Address).segment}; memory only has ${valueText(second)} segment`,
  CAPACITY_TEXT,
  ({ detail }, first) =>
    `Range-check validation failed, number ${first} is out of valid range [0, ${1n << BigInt(detail)}]`,
  (_, first) => `Range-check validation failed, encountered non-int value at address ${first}`,
  (_, first, second) => `Operation failed: ${first} + ${second}, can't add two relocatable values`,
  (_, first, second) => `Operation failed: ${first} + ${second}, maximum offset value exceeded`,
  (_, first, second) =>
    `Operation failed: ${first} - ${second}, can't subtract two relocatable values with different segment indexes`,
  (_, first, second) => `Operation failed: ${first} - ${second}, offsets cant be negative`,
  (_, first, second) =>
    `Operation failed ${first} - ${second}, can't subtract a relocatable value from an integer`,
  (_, first, second) =>
    `Failed to compute Res.MUL: Could not complete computation of non pure values ${first} * ${second}`,
  "Memory addresses must be relocatable",
  "op0 must be known in double dereference",
  (_, first) => `Couldn't compute operand op0. Unknown value for memory cell ${first}`,
  (_, first) => `Couldn't compute operand op1. Unknown value for memory cell ${first}`,
  "Couldn't get or load dst",
  (_, first, second) => `An ASSERT_EQ instruction failed: ${first} != ${second}.`,
  (_, first, second) =>
    `Call failed to write return-pc (inconsistent op0): ${first} != ${second}. Did you forget to increment ap?`,
  (_, first, second) =>
    `Call failed to write return-fp (inconsistent dst): ${first} != ${second}. Did you forget to increment ap?`,
  "Res.UNCONSTRAINED cannot be used with PcUpdate.JUMP",
  "A relocatable value as Res cannot be used with PcUpdate.JUMP_REL",
  "Res.UNCONSTRAINED cannot be used with ApUpdate.ADD",
  "Instruction should be an int",
  ({ detail }, _, second) => `${INSTRUCTION_TEXTS[detail] ?? ""}${second}`,
  "In immediate mode, off2 should be 1",
  (_, first) => `Conversion to usize failed for Felt252 ${first}`,
  ({ detail }, first) => `${BUILTIN_NAMES[detail] ?? ""}: Expected integer at address ${first}`,
  ({ first, detail }, _, second) =>
    `Expected integer at address ${addressDebugText(first as Address)} to be smaller than 2^${detail}, Got ${second}`,
  ({ first, second }) =>
    `EcOpBuiltin: point (${feltDebugText(first as Felt)}, ${feltDebugText(second as Felt)}) is not on the curve`,
  "Cannot apply EC operation: computation reached two points with the same x coordinate.",
  "",
  "Blake2s opcode invalid operand",
  (_, first) => `Conversion to u32 failed for Felt252 ${first}`,
  "Instructions of the QM31 extension are not supported.",
  "attempt to divide by zero",
  "The given value does not point to a known dictionary.",
  "A hint was executed in a state that it does not expect.",
  "A hint has an operand that it does not expect.",
  ({ detail, second }, first) =>
    `Inconsistent auto-deduction for ${BUILTIN_NAMES[detail] ?? ""}, expected ${first}, ` +
    `got ${second === undefined ? "None" : `Some(${valueDebugText(second)})`}`,
  (_, first, second) => `Operation failed: ${first} - ${second}, offsets cant be negative`,
  "Res.UNCONSTRAINED cannot be used with Opcode.ASSERT_EQ",
  (_, first, second) => `Operation failed: ${first} + ${second}, maximum offset value exceeded`,
  CAPACITY_TEXT,
];

/** Text of a recorded failure. */
export function failureText(record: VmFailureRecord): string {
  const writer = WRITERS[record.cause] ?? WRITERS[0];
  if (typeof writer === "string") return writer;
  return writer?.(record, valueText(plain(record.first)), valueText(plain(record.second))) ?? "";
}

function plain(value: CellValue): CellValue {
  return typeof value === "bigint" ? value % FIELD_PRIME : value;
}
