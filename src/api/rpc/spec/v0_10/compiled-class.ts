import { type CasmClass, casmClassCodec } from "#protocol/chain/index.ts";
import { isJsonObject, type JsonValue } from "#base/codec/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";

/**
 * CASM_COMPILED_CONTRACT_CLASS: the JSON of the Sierra compiler without `pythonic_hints`, and with
 * `bytecode_segment_lengths` only when they are a list, because the specification has no other form;
 * a single segment is hashed as no segments are.
 */
export function encodeCompiledClass(casm: CasmClass): JsonValue {
  const { bytecodeSegmentLengths: lengths } = casm;
  return casmClassCodec.encode({
    ...casm,
    bytecodeSegmentLengths: typeof lengths === "number" ? null : lengths,
    hints: new Map([...casm.hints].map(([pc, hints]) => [pc, hints.map(withUnsignedNumbers)])),
  });
}

const NEGATIVE_HEX = /^-0x[0-9a-f]+$/i;

/**
 * A hint with NUM_AS_HEX in place of the compiler's negative numbers: operands are field elements,
 * so that a machine reads the same.
 */
function withUnsignedNumbers(value: unknown): unknown {
  if (typeof value === "string") {
    return NEGATIVE_HEX.test(value) ? hexFromFelt(negated(BigInt(value.slice(1)))) : value;
  }
  if (Array.isArray(value)) return value.map(withUnsignedNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withUnsignedNumbers(member)]),
  );
}

function negated(value: bigint): bigint {
  return (FIELD_PRIME - (value % FIELD_PRIME)) % FIELD_PRIME;
}
