import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { ChainConfig, GenesisContract } from "#protocol/config/index.ts";
import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type ClassSource, type ReadGenesisClass, readGenesisClass } from "./genesis-class.ts";

/** The `genesis` section of a configuration. */
export type GenesisSection = NonNullable<ChainConfig["genesis"]>;

/** Name of the genesis class of development accounts. */
export const ACCOUNT_CLASS = "account";

/** Name of the class of the minting account, if it differs from {@link ACCOUNT_CLASS}. */
const FAUCET_CLASS = "faucet_account";

const MAX_ISSUES = 100;

/** Classes of a genesis section. */
export interface GenesisClasses {
  /** Class hashes by the names of the section. */
  readonly hashByName: ReadonlyMap<string, Felt>;
  /** Classes by hash, each once. */
  readonly byHash: ReadonlyMap<Felt, ReadGenesisClass>;
  /** All classes that could be read, in order. */
  readonly read: readonly ReadGenesisClass[];
  /** An issue per class that cannot be found or read. */
  readonly issues: readonly ConfigIssue[];
}

/** Reads and hashes the classes of a genesis section. */
export function readGenesisClasses(
  section: GenesisSection,
  source: ClassSource,
  hashFunction: CasmHashFunction,
): GenesisClasses {
  const issues: ConfigIssue[] = [];
  const hashByName = new Map<string, Felt>();
  const byHash = new Map<Felt, ReadGenesisClass>();
  const read: ReadGenesisClass[] = [];
  for (const [i, each] of section.classes.entries()) {
    const found = readGenesisClass(each, source, hashFunction);
    if (typeof found === "string") {
      issues.push({ path: `genesis.classes[${i}]`, line: 0, message: found });
      continue;
    }
    const { classHash } = found.bundled;
    read.push(found);
    hashByName.set(each.name, classHash);
    if (!byHash.has(classHash)) byHash.set(classHash, found);
  }
  return { hashByName, byHash, read, issues };
}

/** Returns the class hash of a contract, or the section's reference as text if the class is missing. */
export function classHashOf(
  { class: reference }: Pick<GenesisContract, "class">,
  { hashByName, byHash }: Pick<GenesisClasses, "hashByName" | "byHash">,
): Felt | string {
  const hash = reference.kind === "name" ? hashByName.get(reference.name) : reference.classHash;
  if (hash !== undefined && byHash.has(hash)) return hash;
  return reference.kind === "name" ? reference.name : hexFromFelt(reference.classHash);
}

/** Creates the issue of a contract whose class is not in the section. */
export function unknownClassIssue(address: Felt, reference: string): ConfigIssue {
  const path = `genesis.contracts.${hexFromFelt(address)}.class`;
  return { path, line: 0, message: `${reference} is not one of genesis.classes` };
}

/**
 * Checks that reading the genesis classes has found no issues.
 *
 * @throws {ConfigError} when there are issues
 */
export function requireNoIssues(issues: readonly ConfigIssue[]): void {
  if (issues.length === 0) return;
  const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  throw new ConfigError(`the genesis section: ${count}`, issues.slice(0, MAX_ISSUES));
}

/**
 * Returns the class of development accounts.
 *
 * @throws {ConfigError} when the section has none
 */
export function accountClassOf({ hashByName }: Pick<GenesisClasses, "hashByName">): Felt {
  const classHash = hashByName.get(ACCOUNT_CLASS);
  if (classHash !== undefined) return classHash;
  throw new ConfigError(
    `development accounts need a class named ${ACCOUNT_CLASS} in genesis.classes`,
  );
}

/** Returns the class of the minting account; `undefined` if none. */
export function faucetClassOf(classHashes: GenesisClasses["hashByName"]): Felt | undefined {
  return classHashes.get(FAUCET_CLASS) ?? classHashes.get(ACCOUNT_CLASS);
}

/** Whether development accounts have the class that ships with the program. */
export function isShippedAccount({ classes }: Pick<GenesisSection, "classes">): boolean {
  return classes.find(({ name }) => name === ACCOUNT_CLASS)?.source.kind === "builtin";
}
