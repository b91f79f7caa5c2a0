import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { hexFromFelt } from "#base/primitives/index.ts";
import { HOSTILE_FOLDER } from "./hostile-class.ts";
import { writeHostileConfig } from "./hostile-config.ts";

/** Characters of each class's ABI: nearly the longest allowed class. */
const ABI_LENGTH = 3_900_000;

/** Address of the contract with the large class of an index. */
export function largeContract(index: number): string {
  return hexFromFelt(0xb1600n + BigInt(index));
}

/**
 * Writes the configuration of `writeHostileConfig` with additional contracts of large classes into
 * a folder.
 *
 * @param count - number of classes; more than seven exceed the response cache
 * @returns path of the configuration
 */
export function writeLargeClasses(folder: string, count: number): string {
  const path = writeHostileConfig(folder);
  const config = parse(readFileSync(path, "utf8"), { intAsBigInt: true }) as {
    genesis: { classes: unknown[]; contracts: Record<string, unknown> };
  };
  const text = readFileSync(join(HOSTILE_FOLDER, "hostile.sierra.json"), "utf8");
  const sierra = JSON.parse(text) as Record<string, unknown>;
  for (let index = 0; index < count; index++) {
    const name = `large${index}`;
    const file = join(folder, `${name}.json`);
    const abi = JSON.stringify(String(index).repeat(ABI_LENGTH).slice(0, ABI_LENGTH));
    writeFileSync(file, JSON.stringify({ ...sierra, abi }));
    const casm = join(HOSTILE_FOLDER, "hostile.casm.json");
    config.genesis.classes.push({ name, sierra: file, casm });
    config.genesis.contracts[largeContract(index)] = { class: name };
  }
  writeFileSync(path, stringify(config));
  return path;
}
