import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** Folder of the L2 contracts: `NAME.cairo`, `NAME.sierra.json`, the index. */
export const CONTRACTS_FOLDER = resolve(import.meta.dir, "../../contracts/l2");

/** Folder of their CASM, `NAME.casm.json`, which `scripts/generate.ts` fills; not committed. */
export const CASM_FOLDER = join(CONTRACTS_FOLDER, "build");

/** Names of the contracts that have a source, sorted. */
export function contractNames(): string[] {
  return readdirSync(CONTRACTS_FOLDER)
    .filter((file) => file.endsWith(".cairo"))
    .map((file) => file.slice(0, -".cairo".length))
    .sort();
}
