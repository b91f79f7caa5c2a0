import type { CasmClass } from "#protocol/chain/index.ts";
import { blakeHashOf } from "../blake-hash.ts";
import { casmHashCost } from "./casm-hash-cost.ts";

/**
 * Precomputes per class what the first transaction that runs it would otherwise compute while being weighed:
 * the operating system's cost of hashing its code and, if compiled class hashes are migrated, the newest form
 * of its hash. Both are cached per class; computing them takes milliseconds.
 *
 * @param hasMigrations - `enableCasmHashMigration` of the protocol version
 */
export function prepareWeighing(casm: CasmClass, hasMigrations: boolean): void {
  casmHashCost(casm, "blake");
  if (hasMigrations) blakeHashOf(casm);
}
