import { type CasmClass, casmClassCodec } from "#protocol/chain/index.ts";
import { isJsonObject, type JsonValue } from "#base/codec/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";

/**
 * Encodes CASM_COMPILED_CONTRACT_CLASS of JSON-RPC 0.10: the JSON of the Sierra compiler without `pythonic_hints`.
 * `bytecode_segment_lengths` is included only if it is a list: the specification has no other form, and a
 * single segment has the same hash as none.
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
 * Replaces the compiler's negative numbers in a hint by NUM_AS_HEX: operands are field elements, so the
 * meaning is the same.
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
