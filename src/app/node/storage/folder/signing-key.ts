import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
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

/** What {@link loadSigningKey} uses of the system. */
export interface KeySystem {
  /** Bytes that nobody can foresee. */
  readonly random: (byteCount: number) => Buffer;
  /** Changes the mode of a file, as `chmodSync` of `node:fs` does. */
  readonly chmod: (path: string, mode: number) => void;
}

const SYSTEM: KeySystem = { random: randomBytes, chmod: chmodSync };

/** Rights of others than a file's owner. */
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Reads the block-signing key, or makes one in the data directory: the same key from block 0 on, in
 * a file that only its owner can read.
 *
 * @throws {ConfigError} when the file is missing and not to be made, or does not hold a key
 * @throws {StorageError} STORAGE_FILE_FAILED when it cannot be made
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
    // Its owner is another user, or its mount is read-only: whoever provided the key chose its mode.
    const { code } = cause as { readonly code?: unknown };
    if (code !== "EPERM" && code !== "EROFS") {
      throw fileFailure(`the mode of ${path} cannot be changed`, cause);
    }
  }
}

/**
 * Reads or makes the key of a chain without blocks; {@link hasSigningKey} says when it is made.
 *
 * @throws {ConfigError} as {@link loadSigningKey}
 * @throws {StorageError} as {@link loadSigningKey}
 */
export function makeSigningKey(file: SigningKeyFile): SigningKey {
  if (existsSync(file.path) && !hasSigningKey(file)) rmSync(file.path);
  return loadSigningKey(file);
}

/**
 * Whether the file of the key is there. An empty one in the data directory is not: a start that is killed
 * while it makes the key leaves that, and has signed nothing.
 */
export function hasSigningKey({ path, mayCreate }: SigningKeyFile): boolean {
  return existsSync(path) && !(mayCreate && statSync(path).size === 0);
}

/**
 * Reads the key without making or changing anything: for a start that fails before it writes.
 *
 * @throws {ConfigError} as {@link loadSigningKey}
 */
export function checkSigningKey(file: SigningKeyFile): void {
  if (!file.mayCreate || hasSigningKey(file)) readKey(file.path);
}

/**
 * Refuses to go on with a chain whose key is gone: a new one would be made in silence, and whoever
 * follows the chain checks signatures.
 *
 * @throws {ConfigError} when the file is missing
 */
export function requireSigningKey({ path }: SigningKeyFile): void {
  if (existsSync(path)) return;
  throw new ConfigError(
    `${path}: the key that signed the blocks of this data directory is not there; put it back, or give that key with --private-key-file: another one is refused`,
  );
}

function readKey(path: string): SigningKey {
  const read = decodeKey(readKeyText(path));
  if ("fault" in read) {
    throw new ConfigError(
      `${path}: ${read.fault}; the file with the block-signing key is not whole, or holds something else: put back a copy of it`,
    );
  }
  return { privateKey: read.privateKey, publicKey: publicKey(read.privateKey) };
}

/** A key of 320 random bits modulo the order: 68 more than it has, so that no key is likelier. */
function createKeyFile(path: string, random: (byteCount: number) => Buffer): void {
  if (existsSync(path)) return;
  const candidate = BigInt(`0x${random(40).toString("hex")}`);
  const made = (candidate % (CURVE_ORDER - 1n)) + 1n;
  try {
    writeFileSync(path, encodeKey(made), { mode: 0o600, flag: "wx", flush: true });
  } catch (cause) {
    // Half a key would be refused by the next start; what another process made stays.
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
