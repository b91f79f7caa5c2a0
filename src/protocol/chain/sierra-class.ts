import {
  array,
  type Codec,
  felt,
  integer,
  type JsonValue,
  keywordsOf,
  mismatch,
  named,
  object,
  parseJson,
  stringifyJson,
  textOf,
} from "#base/codec/index.ts";
import type { SierraClass, SierraEntryPoint } from "./class.ts";
import { pythonicJson } from "./pythonic-json.ts";

/**
 * Codec of the ABI of a Sierra class, which is kept as text; also reads a JSON array, and `null` as
 * empty text.
 */
export const sierraAbi: Codec<string> = {
  describe: "ABI as Unicode text or JSON array",
  schema: { anyOf: [{ type: "string" }, { type: "array" }, { type: "null" }] },
  decode(value, path) {
    // A lone surrogate has no UTF-8 form, which the hash and the stored class need.
    if (typeof value === "string" && value.isWellFormed()) return value;
    if (value === null) return "";
    if (Array.isArray(value)) return pythonicJson(value as JsonValue);
    return mismatch(path, sierraAbi.describe, value);
  },
  encode: (value) => value,
};

const entryPoint: Codec<SierraEntryPoint> = (() => {
  const members = object({ selector: felt, function_idx: integer() });
  return {
    describe: members.describe,
    schema: members.schema,
    decode(value, path) {
      const { selector, function_idx } = members.decode(value, path);
      return { selector, functionIdx: function_idx };
    },
    encode: (value) =>
      members.encode({ selector: value.selector, function_idx: value.functionIdx }),
  };
})();

/** Codecs of the JSON members of a Sierra class, except its program and its ABI. */
export const SIERRA_MEMBERS = {
  // The class hash covers it as a short string after a 16-character prefix.
  contract_class_version: textOf({
    pattern: /^[\x21-\x7e]{1,15}$/,
    describe: "version text of 1 to 15 characters",
  }),
  entry_points_by_type: object({
    CONSTRUCTOR: array(entryPoint),
    EXTERNAL: array(entryPoint),
    L1_HANDLER: array(entryPoint),
  }),
};

const members = object({ sierra_program: array(felt), ...SIERRA_MEMBERS }, { abi: sierraAbi });

/**
 * Sierra class in the form of the JSON-RPC specification (`CONTRACT_CLASS`). Also reads the compiler's
 * `contract_class.json`, which holds the ABI as JSON.
 */
export const sierraClassCodec: Codec<SierraClass> = {
  describe: "Sierra class",
  schema: named("SENT_CONTRACT_CLASS", () => keywordsOf(members.schema)),
  decode(value, path) {
    const read = members.decode(value, path);
    return {
      kind: "sierra",
      sierraProgram: read.sierra_program,
      contractClassVersion: read.contract_class_version,
      entryPoints: read.entry_points_by_type,
      abi: read.abi ?? "",
    };
  },
  encode: (value) =>
    members.encode({
      sierra_program: value.sierraProgram,
      contract_class_version: value.contractClassVersion,
      entry_points_by_type: value.entryPoints,
      abi: value.abi,
    }),
};

/**
 * Parses a Sierra class, for example a compiler's `contract_class.json`.
 *
 * @throws {DecodeError} naming the first wrong place
 */
export function sierraClassFromJson(text: string): SierraClass {
  return sierraClassCodec.decode(parseJson(text), "");
}

/**
 * Size of a class object, which Starknet's gateway limits: bytes of its JSON text in the form of the JSON-RPC
 * specification, without spaces and with the ABI as text.
 */
export function sierraClassObjectBytes(sierraClass: SierraClass): number {
  return new TextEncoder().encode(stringifyJson(sierraClassCodec.encode(sierraClass))).byteLength;
}
