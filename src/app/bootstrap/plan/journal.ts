import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { replaceFile } from "#io/storage/index.ts";
import type { Hex } from "../settings/forms.ts";

/** Identity of a bootstrap: a different one must not continue with its file. */
export interface BootstrapBeginning {
  readonly app_chain_id: string;
  readonly eth_chain_id: number;
  readonly l1_deployer_address: string;
  /** Deployer nonce of the first deployment. */
  readonly l1_deployer_nonce: number;
  /** The L1 token set with an option; `null` without one. */
  readonly l1_token_address: string | null;
  readonly is_development: boolean;
  /** Hash of L1's block 0: distinguishes chains with the same id. `null` if L1's node does not have it. */
  readonly l1_genesis_hash: string | null;
  /** Whether the L2 contracts are in the chain's genesis section. */
  readonly has_genesis: boolean;
  /** Digest of all planned addresses. */
  readonly plan: string;
}

/** Fields of the identity that are known before the file is read. */
export type ExpectedBeginning = Omit<
  BootstrapBeginning,
  "l1_deployer_nonce" | "has_genesis" | "plan"
>;

/** The address file: what has been set up so far. */
export interface Journal {
  readonly beginning: BootstrapBeginning;
  readonly addresses: Readonly<Record<string, string>>;
}

/** Maximum file size, bytes. */
const MAX_FILE_BYTES = 1 << 20;

/** File mode; addresses are not secret. */
const MODE = 0o644;

/** Member of the file with everything except addresses. */
const BEGINNING = "bootstrap";

/**
 * Reads the address file of an earlier run.
 *
 * @returns `undefined` when the file does not exist
 * @throws {ConfigError} when it is not an address file
 */
export function readJournal(path: string): Journal | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const document = parsed(text);
  const { [BEGINNING]: beginning, ...addresses } = document ?? {};
  const isWhole =
    isBeginning(beginning) &&
    Object.values(addresses).every(
      (value) => typeof value === "string" && /^0x[0-9a-f]{1,64}$/.test(value),
    );
  if (isWhole) return { beginning, addresses: addresses as Record<string, string> };
  throw new ConfigError(
    `${path} was not written by a bootstrap of this version, or was edited: name another file with --addresses, or move it away and give --adopt`,
  );
}

/** Replaces the file atomically: after a crash it is either old or new. */
export function writeJournal(path: string, { beginning, addresses }: Journal): void {
  const text = `${JSON.stringify({ ...addresses, [BEGINNING]: beginning }, null, 2)}\n`;
  try {
    replaceFile(path, text, MODE);
  } catch (cause) {
    throw new ConfigError(`${path} cannot be written; name another file with --addresses`, [], {
      cause,
    });
  }
}

/** Describes how a file's identity differs from ours; `undefined` when it does not. */
export function otherBeginning(
  found: BootstrapBeginning,
  ours: ExpectedBeginning,
): string | undefined {
  const names = Object.keys(ours) as (keyof typeof ours)[];
  const other = names.find((name) => {
    // A pruned node cannot contradict the file.
    const isUnknown = found[name] === null || ours[name] === null;
    return found[name] !== ours[name] && !(name === "l1_genesis_hash" && isUnknown);
  });
  return other === undefined
    ? undefined
    : `${other} is ${String(found[other])} there, not ${String(ours[other])}`;
}

function textOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isFile() && found.size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read`, [], { cause });
  }
  throw new ConfigError(`${path} is not an address file; name another one with --addresses`);
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null ? { ...document } : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function isBeginning(value: unknown): value is BootstrapBeginning {
  if (typeof value !== "object" || value === null) return false;
  const found = value as Readonly<Record<keyof BootstrapBeginning, unknown>>;
  return (
    typeof found.app_chain_id === "string" &&
    typeof found.eth_chain_id === "number" &&
    isAddress(found.l1_deployer_address) &&
    Number.isSafeInteger(found.l1_deployer_nonce) &&
    (found.l1_deployer_nonce as number) >= 0 &&
    (found.l1_token_address === null || isAddress(found.l1_token_address)) &&
    typeof found.is_development === "boolean" &&
    (found.l1_genesis_hash === null || isHash(found.l1_genesis_hash)) &&
    typeof found.has_genesis === "boolean" &&
    isHash(found.plan)
  );
}

function isHash(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-f]{64}$/.test(value);
}

function isAddress(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
}
