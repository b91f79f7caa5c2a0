import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { clientClassHash } from "./client-hashes.ts";

const CONTRACTS = resolve(import.meta.dir, "../../contracts/l2");

/**
 * Writes a class with the code of a shipped one and another class hash: its ABI is empty.
 *
 * @returns the class hash, computed by starknet.js
 */
export function writeOtherClass(name: "account" | "erc20" | "universal_deployer", path: string) {
  const sierra = JSON.parse(readFileSync(join(CONTRACTS, `${name}.sierra.json`), "utf8")) as object;
  const other = { ...sierra, abi: "[]" };
  writeFileSync(path, JSON.stringify(other));
  return clientClassHash(JSON.stringify({ ...other, abi: [] }));
}
