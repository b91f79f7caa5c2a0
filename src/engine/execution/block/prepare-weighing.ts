import type { CasmClass } from "#protocol/chain/index.ts";
import { blakeHashOf } from "../blake-hash.ts";
import { casmHashCost } from "./casm-hash-cost.ts";

/**
 * Computes of a class what the first transaction that runs it would wait for when it is weighed: what hashing
 * its code costs the operating system and, where classes get the newest form of their compiled class hash,
 * that hash. Both are kept beside the class; it takes milliseconds.
 *
 * @param hasMigrations - as `enableCasmHashMigration` of the protocol version
 */
export function prepareWeighing(casm: CasmClass, hasMigrations: boolean): void {
  casmHashCost(casm, "blake");
  if (hasMigrations) blakeHashOf(casm);
}
