import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { BootstrapError, ConfigError, StorageError } from "#base/errors/index.ts";
import type { SignedL1, SignedL2 } from "#app/bootstrap/index.ts";
import { type FolderLock, lockFolder, replaceFile, syncPath } from "#io/storage/index.ts";

/** Identity of a transfer. A different one needs a different file. */
export interface Transfer {
  readonly kind: "deposit" | "withdrawal";
  readonly app_chain_id: string;
  readonly eth_chain_id: number;
  /** The token on L1; `l1_bridge` and `l2_bridge` are its bridges. */
  readonly l1_token: string;
  readonly l1_bridge: string;
  readonly l2_bridge: string;
  /** In the token's smallest unit, decimal. */
  readonly amount: string;
  /** Depositor, or recipient of a withdrawal. */
  readonly l1_account: string;
  /** Recipient of a deposit, or withdrawing account. */
  readonly l2_account: string;
}

/** Transactions of a transfer, by step. */
interface Sent {
  readonly mint?: SignedL1;
  readonly approve?: SignedL1;
  readonly deposit?: SignedL1;
  readonly burn?: SignedL2;
  readonly payout?: SignedL1;
}

/** Name of one of the transactions that a transfer consists of. */
export type SentName = keyof Sent;

interface Content {
  readonly transfer: Transfer;
  /** Each is written here before it is first sent. */
  readonly sent: Sent;
  readonly isDone: boolean;
}

/** File mode: signed transactions are not secret, but private to their sender. */
const MODE = 0o600;

/** Maximum file size, bytes. */
const MAX_FILE_BYTES = 1 << 20;

/**
 * The file of one transfer. Each transaction is written to it before it is sent, so that a later run resends
 * the same one: its nonce ensures that it is executed at most once.
 */
export class TransferFile implements Disposable {
  readonly path: string;
  readonly #lock: FolderLock;
  #content: Content;

  private constructor(path: string, lock: FolderLock, content: Content) {
    this.path = path;
    this.#lock = lock;
    this.#content = content;
  }

  /**
   * Opens the file of a transfer exclusively for this process. A new one is written with the first
   * transaction.
   *
   * @throws {ConfigError} when it belongs to another transfer or is not a transfer file
   * @throws {BootstrapError} when another process has it open
   */
  static open(path: string, transfer: Transfer): TransferFile {
    const lock = lockOf(path);
    try {
      const content = readTransfer(path) ?? { transfer, sent: {}, isDone: false };
      const names = Object.keys(transfer) as (keyof Transfer)[];
      const other = names.find((name) => content.transfer[name] !== transfer[name]);
      if (other === undefined) return new TransferFile(path, lock, content);
      throw new ConfigError(
        `${path} is of another transfer: ${other} is ${content.transfer[other]} there, not ${transfer[other]}; name another file with --transfer`,
      );
    } catch (cause) {
      lock.release();
      throw cause;
    }
  }

  /** Whether the transfer is complete. */
  get isDone(): boolean {
    return this.#content.isDone;
  }

  sent<N extends SentName>(name: N): Sent[N] {
    return this.#content.sent[name];
  }

  /** Stores a transaction durably; it may be sent once this returns. */
  keep<N extends SentName>(name: N, signed: NonNullable<Sent[N]>): NonNullable<Sent[N]> {
    this.#write({ ...this.#content, sent: { ...this.#content.sent, [name]: signed } });
    return signed;
  }

  finish(): void {
    this.#write({ ...this.#content, isDone: true });
  }

  [Symbol.dispose](): void {
    this.#lock.release();
  }

  #write(content: Content): void {
    try {
      replaceFile(this.path, `${JSON.stringify(content, null, 2)}\n`, MODE);
      syncPath(dirname(this.path));
    } catch (cause) {
      throw new ConfigError(
        `${this.path} cannot be written; name another file with --transfer`,
        [],
        {
          cause,
        },
      );
    }
    this.#content = content;
  }
}

/**
 * Reads the file of a transfer.
 *
 * @returns `undefined` if the file does not exist
 * @throws {ConfigError} when it is not a transfer file
 */
export function readTransfer(path: string): Content | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const text = found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : "";
    const content: unknown = JSON.parse(text);
    if (isContent(content)) return content;
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read as a transfer file`, [], { cause });
  }
  throw new ConfigError(`${path} is not a transfer file, or was edited; name another one`);
}

function lockOf(path: string): FolderLock {
  try {
    return lockFolder(`${path}.lock`);
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause;
    if (cause.code === "STORAGE_LOCKED") {
      const message = `another process is using ${path}: wait until it has finished`;
      throw new BootstrapError("BOOTSTRAP_LOCKED", message, { cause });
    }
    throw new ConfigError(`${path}.lock cannot be written; name another file with --transfer`, [], {
      cause,
    });
  }
}

const TEXTS = ["app_chain_id", "l1_token", "l1_bridge", "l2_bridge", "l1_account", "l2_account"];
const L1_STEPS: ReadonlySet<string> = new Set(["mint", "approve", "deposit", "payout"]);

function isContent(value: unknown): value is Content {
  const { transfer, sent, isDone } = membersOf(value);
  const found = membersOf(transfer);
  return (
    typeof isDone === "boolean" &&
    (found["kind"] === "deposit" || found["kind"] === "withdrawal") &&
    typeof found["eth_chain_id"] === "number" &&
    TEXTS.every((name) => typeof found[name] === "string") &&
    typeof found["amount"] === "string" &&
    /^[1-9]\d*$/.test(found["amount"]) &&
    typeof sent === "object" &&
    sent !== null &&
    Object.entries(sent).every(([name, signed]) => isSigned(name, membersOf(signed)))
  );
}

function isSigned(name: string, { hash, raw, transaction }: Readonly<Record<string, unknown>>) {
  if (typeof hash !== "string") return false;
  return L1_STEPS.has(name)
    ? /^0x[0-9a-f]{64}$/.test(hash) && typeof raw === "string" && /^0x[0-9a-f]+$/.test(raw)
    : name === "burn" && /^0x[0-9a-f]{1,64}$/.test(hash) && typeof transaction === "object";
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
