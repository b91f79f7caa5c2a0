import { named, type Schema, type SchemaKeywords } from "#base/codec/index.ts";
import { COUNT, FELT, FELTS, list, NUMBER_HEX, oneOf, record, TEXT } from "./common.ts";

function entryPoints(entry: Schema): SchemaKeywords {
  const points = list(entry);
  return record({ CONSTRUCTOR: points, EXTERNAL: points, L1_HANDLER: points });
}

/**
 * JSON schema of a class in results: CONTRACT_CLASS or DEPRECATED_CONTRACT_CLASS; a Cairo 0 ABI has
 * the format of its compiler.
 */
export const CONTRACT_CLASS: Schema = oneOf(
  named(
    "CONTRACT_CLASS",
    record(
      {
        sierra_program: FELTS,
        contract_class_version: TEXT,
        entry_points_by_type: entryPoints(record({ selector: FELT, function_idx: COUNT })),
      },
      { abi: TEXT },
    ),
  ),
  named(
    "DEPRECATED_CONTRACT_CLASS",
    record(
      {
        program: { ...TEXT, description: "base64 of gzip of the program's JSON text" },
        entry_points_by_type: entryPoints(record({ offset: NUMBER_HEX, selector: FELT })),
      },
      { abi: list({ type: "object" }) },
    ),
  ),
);

/** JSON schema of CASM_COMPILED_CONTRACT_CLASS; hints have the format of their compiler. */
export const COMPILED_CLASS: Schema = named(
  "CASM_COMPILED_CONTRACT_CLASS",
  record(
    {
      prime: NUMBER_HEX,
      compiler_version: TEXT,
      bytecode: FELTS,
      hints: list({
        type: "array",
        items: [COUNT, list({})],
        minItems: 2,
        maxItems: 2,
      }),
      entry_points_by_type: entryPoints(
        record({ selector: FELT, offset: COUNT, builtins: list(TEXT) }),
      ),
    },
    { bytecode_segment_lengths: { ...list({}), description: "lengths, nested" } },
  ),
);
