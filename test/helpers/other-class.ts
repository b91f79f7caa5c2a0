import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { clientClassHash } from "./client-hashes.ts";

const CONTRACTS = resolve(import.meta.dir, "../../contracts/l2");

/** Shipped class that another class has the code of. */
type Original = "account" | "erc20" | "universal_deployer";

/** A class with the code of a shipped one and another class hash: its ABI is empty. */
export function otherClass(name: Original): Readonly<Record<string, unknown>> {
  const sierra = JSON.parse(readFileSync(join(CONTRACTS, `${name}.sierra.json`), "utf8")) as object;
  return { ...sierra, abi: "[]" };
}

/** Class hash of {@link otherClass}, computed by starknet.js. */
export function otherClassHash(name: Original): string {
  return clientClassHash(JSON.stringify({ ...otherClass(name), abi: [] }));
}

/**
 * Writes {@link otherClass} to a file.
 *
 * @returns the class hash
 */
export function writeOtherClass(name: Original, path: string): string {
  writeFileSync(path, JSON.stringify(otherClass(name)));
  return otherClassHash(name);
}
