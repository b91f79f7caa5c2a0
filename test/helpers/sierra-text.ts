import { hexFromFelt } from "#base/primitives/index.ts";
import type { SierraClass } from "#protocol/chain/index.ts";

/** A Sierra class without entry points as the JSON text of a file. */
export function sierraText({ sierraProgram, contractClassVersion, abi }: SierraClass): string {
  return JSON.stringify({
    sierra_program: sierraProgram.map(hexFromFelt),
    contract_class_version: contractClassVersion,
    entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    abi,
  });
}
