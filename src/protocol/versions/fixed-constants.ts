import { type Codec, json, type JsonValue, memberPath, mismatch } from "#base/codec/index.ts";

/**
 * Members of `os_constants` that are equal in every version of both public schemas. They are built into the
 * engine, so a file with other values is refused instead of partly applied.
 */
const FIXED: Readonly<Record<string, string | number>> = {
  constructor_entry_point_selector:
    "0x28ffe4ff0f226a9107253e17a904099aa4f63a02a5621de0576e5aa71bc5194",
  default_entry_point_selector: 0,
  execute_entry_point_selector: "0x15d40a3d6ca2ac30f4031e42be28da9b056fef9bb7357ac5e85627ee876e5ad",
  transfer_entry_point_selector: "0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e",
  validate_declare_entry_point_selector:
    "0x289da278a8dc833409cabfdad1581e8e7d40e42dcaed693fa4008dcdb4963b3",
  validate_deploy_entry_point_selector:
    "0x36fcbf06cd96843058359e1a75928beacfac10727dab22a3972f0af8aa92895",
  validate_entry_point_selector:
    "0x162da33a4585851fe8d3af3c2a9c60b557814e221e0d4f30ff0b2189d9c7775",
  entry_point_type_constructor: 2,
  entry_point_type_external: 0,
  entry_point_type_l1_handler: 1,
  validated: "VALID",
  error_block_number_out_of_range: "Block number out of range",
  error_invalid_input_len: "Invalid input length",
  error_invalid_argument: "Invalid argument",
  error_out_of_gas: "Out of gas",
  error_entry_point_failed: "ENTRYPOINT_FAILED",
  error_entry_point_not_found: "ENTRYPOINT_NOT_FOUND",
  l1_gas: "L1_GAS",
  l2_gas: "L2_GAS",
  l1_data_gas: "L1_DATA",
  l1_gas_index: 0,
  l1_data_gas_index: 2,
  l2_gas_index: 1,
  l1_handler_version: 0,
  nop_entry_point_offset: -1,
  sierra_array_len_bound: 4294967296,
};

/**
 * Codecs of the OS constants that are built into the engine: optional members of any JSON, whose
 * values {@link checkFixedOsConstants} checks.
 */
export const fixedOsConstants: Readonly<Record<string, Codec<JsonValue>>> = Object.fromEntries(
  Object.keys(FIXED).map((name) => [name, json]),
);

/**
 * Checks that the members of `os` which are built into the engine have the engine's values.
 *
 * @throws {DecodeError} at the first member that differs
 */
export function checkFixedOsConstants(os: Readonly<Record<string, unknown>>, path: string): void {
  for (const [name, expected] of Object.entries(FIXED)) {
    const value = os[name];
    if (value === undefined) continue;
    if (numberOf(value) !== numberOf(expected))
      mismatch(memberPath(path, name), `${JSON.stringify(expected)} (built in)`, value);
  }
}

/** Normalizes a selector, which is hex text or the number 0, to a bigint. */
function numberOf(value: unknown): unknown {
  if (typeof value === "number") return BigInt(value);
  return typeof value === "string" && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : value;
}
