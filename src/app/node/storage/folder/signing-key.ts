import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { publicKey } from "#protocol/crypto/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { fileFailure } from "#io/storage/index.ts";
import { CURVE_ORDER, decodeKey, encodeKey } from "./key-text.ts";
import type { SigningKeyFile } from "../../setup/node-files.ts";
import type { Felt } from "#base/primitives/index.ts";

/** The key that signs blocks. */
export interface SigningKey {
  readonly privateKey: Felt;
  readonly publicKey: Felt;
}

/** System functions that {@link loadSigningKey} uses. */
export interface KeySystem {
  /** Returns unpredictable bytes. */
  readonly random: (byteCount: number) => Uint8Array;
  /** Changes the mode of a file, as `chmodSync` of `node:fs` does. */
  readonly chmod: (path: string, mode: number) => void;
}

const SYSTEM: KeySystem = {
  random: (byteCount) => crypto.getRandomValues(new Uint8Array(byteCount)),
  chmod: chmodSync,
};

/** Mode bits of group and others. */
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Reads the block-signing key, or creates it in the data directory. It is the same key from block 0 on, in a
 * file that only its owner can read.
 *
 * @throws {ConfigError} when the file is missing and may not be created, or does not hold a key
 * @throws {StorageError} STORAGE_FILE_FAILED when it cannot be created
 */
export function loadSigningKey(
  { path, mayCreate }: SigningKeyFile,
  { random, chmod }: KeySystem = SYSTEM,
): SigningKey {
  if (mayCreate) {
    createKeyFile(path, random);
    hideFromOthers(path, chmod);
  }
  return readKey(path);
}

function hideFromOthers(path: string, chmod: KeySystem["chmod"]): void {
  if ((statSync(path).mode & RIGHTS_OF_OTHERS) === 0) return;
  try {
    chmod(path, 0o600);
  } catch (cause) {
    // The file belongs to another user, or its mount is read-only: its provider chose the mode.
    const { code } = cause as { readonly code?: unknown };
    if (code !== "EPERM" && code !== "EROFS") {
      throw fileFailure(`the mode of ${path} cannot be changed`, cause);
    }
  }
}

/**
 * Reads or creates the key of a chain without blocks; creates it if {@link hasSigningKey} is false.
 *
 * @throws {ConfigError} as {@link loadSigningKey}
 * @throws {StorageError} as {@link loadSigningKey}
 */
export function makeSigningKey(file: SigningKeyFile): SigningKey {
  if (existsSync(file.path) && !hasSigningKey(file)) rmSync(file.path);
  return loadSigningKey(file);
}

/**
 * Whether the key file exists. An empty one in the data directory does not count: a start killed during key
 * creation leaves it, and has signed nothing.
 */
export function hasSigningKey({ path, mayCreate }: SigningKeyFile): boolean {
  return existsSync(path) && !(mayCreate && statSync(path).size === 0);
}

/**
 * Reads the key without creating or changing anything, so that a bad key fails the start before it writes.
 *
 * @throws {ConfigError} as {@link loadSigningKey}
 */
export function checkSigningKey(file: SigningKeyFile): void {
  if (!file.mayCreate || hasSigningKey(file)) readKey(file.path);
}

/**
 * Refuses to continue a chain whose key is missing: otherwise a new one would be created silently, and
 * followers of the chain check signatures.
 *
 * @throws {ConfigError} when the file is missing
 */
export function requireSigningKey({ path }: SigningKeyFile): void {
  if (existsSync(path)) return;
  throw new ConfigError(
    `${path}: the key that signed the blocks of this data directory is missing; put it back, or give that key with --private-key-file: any other key is refused`,
  );
}

function readKey(path: string): SigningKey {
  const read = decodeKey(readKeyText(path));
  if ("fault" in read) {
    throw new ConfigError(
      `${path}: ${read.fault}; the file with the block-signing key is incomplete, or holds something else: put back a copy of it`,
    );
  }
  return { privateKey: read.privateKey, publicKey: publicKey(read.privateKey) };
}

/** Creates a key of 320 random bits modulo the order: the 68 extra bits make the bias negligible. */
function createKeyFile(path: string, random: (byteCount: number) => Uint8Array): void {
  if (existsSync(path)) return;
  const candidate = BigInt(`0x${random(40).toHex()}`);
  const made = (candidate % (CURVE_ORDER - 1n)) + 1n;
  try {
    writeFileSync(path, encodeKey(made), { mode: 0o600, flag: "wx", flush: true });
  } catch (cause) {
    // A partial key would make the next start fail. A file that another process created stays.
    if ((cause as { readonly code?: unknown }).code !== "EEXIST") rmSync(path, { force: true });
    throw fileFailure(`the block-signing key ${path} cannot be written`, cause);
  }
}

function readKeyText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError(
      `${path}: the file with the block-signing key cannot be read; expected a file that the node's user may read`,
      [],
      {
        cause,
      },
    );
  }
}
