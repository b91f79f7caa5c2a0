import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");

/** Folder of the L1 contracts: `NAME.sol`, `NAME.json`; shared sources are in `base`. */
export const L1_CONTRACTS_FOLDER = join(ROOT, "contracts/l1");

const IMPORT = /^import\s[^"]*"(?<path>[^"]+)"\s*;/gm;

/** Names of the L1 contracts that have an artifact, sorted. */
export function l1ContractNames(): string[] {
  if (!existsSync(L1_CONTRACTS_FOLDER)) return [];
  return readdirSync(L1_CONTRACTS_FOLDER)
    .filter((file) => file.endsWith(".sol"))
    .map((file) => file.slice(0, -".sol".length))
    .sort();
}

/**
 * The source of a contract and of all its imports, by the compiler's names for them: the path below
 * `contracts/l1`, or the import path of a package. Sorted by name.
 */
export function soliditySources(name: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open = [`${name}.sol`];
  for (let unit = open.pop(); unit !== undefined; unit = open.pop()) {
    if (found.has(unit)) continue;
    const source = readFileSync(pathOf(unit), "utf8");
    found.set(unit, source);
    for (const { groups } of source.matchAll(IMPORT)) {
      const path = groups?.["path"] ?? "";
      open.push(path.startsWith(".") ? posix.join(posix.dirname(unit), path) : path);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** SHA-256 in hex of the names and texts of sources, in their order. */
export function sourcesSha256(sources: ReadonlyMap<string, string>): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const [unit, source] of sources) hash.update(`${unit}\0${source}\0`);
  return hash.digest("hex");
}

function pathOf(unit: string): string {
  if (!unit.startsWith("@")) return join(L1_CONTRACTS_FOLDER, unit);
  const [scope = "", name = ""] = unit.split("/");
  const folder = dirname(Bun.resolveSync(`${scope}/${name}/package.json`, ROOT));
  return join(folder, unit.slice(`${scope}/${name}/`.length));
}
