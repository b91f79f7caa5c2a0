import { readFileSync } from "node:fs";
import { type CairoAssembly, type CompiledContract, hash, json } from "starknet";
import { cacheEntry } from "./cache-entry.ts";

/** Manifest of the installed starknet.js, with its version. */
const CLIENT = readFileSync(
  new URL("../package.json", import.meta.resolve("starknet")).pathname,
  "utf8",
);

function once(inputs: readonly string[], compute: () => string): string {
  const entry = cacheEntry<string>([CLIENT, ...inputs]);
  const known = entry.read();
  if (known !== undefined) return known;
  const result = compute();
  entry.write(result);
  return result;
}

/**
 * Class hash by starknet.js, which takes up to seconds: quick runs reuse the result of an earlier
 * one.
 *
 * @param classText - JSON of a Sierra or Cairo 0 class
 */
export function clientClassHash(classText: string): string {
  return once(["class", classText], () =>
    hash.computeContractClassHash(json.parse(classText) as CompiledContract),
  );
}

/**
 * Compiled class hash by starknet.js, as {@link clientClassHash}.
 *
 * @param casmText - JSON of a CASM class
 * @param starknetVersion - protocol version of the chain, which decides the hash function
 */
export function clientCompiledClassHash(casmText: string, starknetVersion: string): string {
  return once(["compiled class", starknetVersion, casmText], () =>
    hash.computeCompiledClassHash(json.parse(casmText) as CairoAssembly, starknetVersion),
  );
}
