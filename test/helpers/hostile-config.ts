import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { selectorFromName } from "#crypto/index.ts";
import { hexFromFelt } from "#primitives/index.ts";
import { record } from "../contracts/hostile/contract.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** Address of the hostile contract in {@link writeHostileConfig}'s chain. */
export const HOSTILE_ADDRESS = "0xbad";

/**
 * Writes the development preset with the hostile contract on top into a folder.
 *
 * @returns path of the configuration; give `--dev-accounts` with it
 */
export function writeHostileConfig(folder: string): string {
  const preset = readFileSync(join(ROOT, "presets/devnet.yaml"), "utf8");
  const classes = join(ROOT, "test/contracts/hostile");
  const path = join(folder, "hostile.yaml");
  const text = preset
    .replace(
      "  classes:\n",
      `  classes:\n    - name: hostile\n      sierra: ${classes}/hostile.sierra.json\n      casm: ${classes}/hostile.casm.json\n`,
    )
    .replace("  contracts:\n", `  contracts:\n    "${HOSTILE_ADDRESS}":\n      class: hostile\n`);
  writeFileSync(path, text);
  return path;
}

/** Parameters of a `call` that runs `count` rounds of an operation of the hostile contract. */
export function hostileCall(operation: string, count: number): readonly unknown[] {
  const request = {
    contract_address: HOSTILE_ADDRESS,
    entry_point_selector: hexFromFelt(selectorFromName("run")),
    calldata: record(operation, { count }).map(hexFromFelt),
  };
  return [request, "latest"];
}
