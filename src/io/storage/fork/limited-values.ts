import { ENTRY_BYTES, type forkStatements } from "./statements.ts";

/** Rows that are considered for deletion at a time. */
const GROUP = 256;

/** Part of the limit that remains after a deletion, so that not every write deletes. */
const KEPT_PART = 0.9;

type Statements = ReturnType<typeof forkStatements>;

/**
 * Values of which any number may exist: a client that reads random keys, or ever other pages of events, must not
 * fill the disk. Above a total size, those that were not used for the longest time are deleted.
 */
export class LimitedValues {
  readonly #statements: Statements;
  readonly #maxBytes: number;
  #bytes: number;

  /** @param maxBytes - approximate maximum size of all values together */
  constructor(statements: Statements, maxBytes: number) {
    this.#statements = statements;
    this.#maxBytes = maxBytes;
    this.#bytes = this.#stored();
  }

  /** Returns a value, `null` for an absent one; `undefined` if it is not stored. */
  get(key: string): Uint8Array | null | undefined {
    return this.#statements.getLimited.get(key)?.value;
  }

  /** Stores a value; within a transaction that ends with {@link trim}. */
  put(key: string, value: Uint8Array | null): void {
    this.#statements.putLimited.run(key, value);
    this.#bytes += key.length * 2 + (value?.byteLength ?? 0) + ENTRY_BYTES;
  }

  /** Removes a value, which is kept elsewhere from now on. */
  remove(key: string): void {
    const row = this.#statements.limitedSize.get(key);
    if (row === undefined) return;
    this.#statements.takeLimited.run(key);
    this.#bytes -= Number(row.bytes);
  }

  /** Records that values were used, the last one last. */
  use(keys: Iterable<string>): void {
    for (const key of keys) this.#statements.useLimited.run(key);
  }

  /** Whether all values together are too large. */
  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** Deletes the values that were not used for the longest time if all together are too large. */
  trim(): void {
    if (!this.isFull) return;
    const target = this.#maxBytes * KEPT_PART;
    while (this.#bytes > target) {
      let last: bigint | undefined;
      for (const { sequence, bytes } of this.#statements.oldestLimited.all(GROUP)) {
        if (this.#bytes <= target) break;
        this.#bytes -= Number(bytes);
        last = sequence;
      }
      // Another process that uses the file may have deleted them.
      if (last === undefined) this.#bytes = 0;
      else this.#statements.deleteLimited.run(last);
    }
  }

  #stored(): number {
    return Number(this.#statements.limitedBytes.get()?.bytes ?? 0);
  }
}
