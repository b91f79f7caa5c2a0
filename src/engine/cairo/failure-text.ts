import {
  type Address,
  CAUSES,
  type CellValue,
  INSTRUCTION_FAULTS,
  SEGMENT_KINDS,
  type VmCause,
  type VmFailureRecord,
} from "#kernels/vm/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";

/** Formats an address for error texts: `2:5`. */
export function addressText(address: Address): string {
  return `${address.segment}:${address.exactOffset ?? address.offset}`;
}

/** Formats a value for error texts: decimal, or an address. */
export function valueText(value: CellValue): string {
  if (value === undefined) return "None";
  return typeof value === "bigint" ? value.toString() : addressText(value);
}

/** Formats an address in Rust's debug form. */
export function addressDebugText(address: Address): string {
  const { segment, offset, exactOffset } = address;
  return `Relocatable { segment_index: ${segment}, offset: ${exactOffset ?? offset} }`;
}

/** Formats a value in Rust's debug form. */
export function valueDebugText(value: CellValue): string {
  if (value === undefined) return "None";
  return typeof value === "bigint"
    ? `Int(${value})`
    : `RelocatableValue(${addressDebugText(value)})`;
}

/** Placeholder names in a template, `{name}`. */
type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Writer = (record: VmFailureRecord) => string;

const FAULT_TEXTS: readonly string[] = Object.values(INSTRUCTION_FAULTS);

/** Formatters of all placeholders that cause texts use; the type demands exactly one for each. */
const WRITERS: Readonly<Record<Placeholders<(typeof CAUSES)[VmCause]>, Writer>> = {
  first: ({ first }) => valueText(reduced(first)),
  "first:debug": ({ first }) => valueDebugText(first),
  "first:address": ({ first }) => (typeof first === "object" ? addressDebugText(first) : ""),
  "first:segment": ({ first }) => (typeof first === "object" ? `${first.segment}` : ""),
  "first:hex": ({ first }) => (typeof first === "bigint" ? hexFromFelt(first) : ""),
  second: ({ second }) => valueText(reduced(second)),
  "second:debug": ({ second }) => valueDebugText(second),
  "second:hex": ({ second }) => (typeof second === "bigint" ? hexFromFelt(second) : ""),
  "second:option": ({ second }) =>
    second === undefined ? "None" : `Some(${valueDebugText(second)})`,
  extra: ({ extra }) => addressDebugText(extra),
  detail: ({ detail }) => `${detail}`,
  limit: ({ detail }) => `${1n << BigInt(detail)}`,
  builtin: ({ detail }) => `${SEGMENT_KINDS[detail] ?? ""}_builtin`,
  fault: ({ detail }) => FAULT_TEXTS[detail] ?? "",
};

/** Text of a recorded failure, in the wording of cairo-vm 3.2.0. */
export function failureText(record: VmFailureRecord): string {
  const template: string = CAUSES[record.cause];
  return template.replace(/\{([a-z:]+)\}/g, (_, name: keyof typeof WRITERS) =>
    WRITERS[name](record),
  );
}

function reduced(value: CellValue): CellValue {
  return typeof value === "bigint" ? value % FIELD_PRIME : value;
}
