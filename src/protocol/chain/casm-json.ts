import { isJsonObject, type JsonObject, stringifyJson } from "#base/codec/index.ts";
import type { CasmClass } from "./class.ts";
import { casmClassCodec } from "./casm.ts";

/** Members of the reference compiler's output, in its order. */
const MEMBERS = [
  "prime",
  "compiler_version",
  "bytecode",
  "bytecode_segment_lengths",
  "hints",
  "entry_points_by_type",
] as const;

/** Formats compiled code on one line like the reference compiler: the same class gives the same bytes. */
export function casmJsonFromClass(casm: CasmClass): string {
  const encoded = casmClassCodec.encode(casm);
  const members: JsonObject = isJsonObject(encoded) ? encoded : {};
  return stringifyJson(Object.fromEntries(MEMBERS.map((name) => [name, members[name]])));
}
