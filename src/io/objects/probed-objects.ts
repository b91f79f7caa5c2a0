import { ObjectStoreError } from "#base/errors/index.ts";
import { putOnce } from "./put-once.ts";
import { type RetryOptions, retrying } from "./retrying.ts";
import type { ObjectStore, PutOutcome } from "./types.ts";

/** Number of consecutive permanent errors or unmet expectations after which the probe fails. */
const MOST_REFUSALS = 8;

/** Maximum number of attempts to delete an object; a leftover is harmless. */
const DELETE_TRIES = 5;

/** Maximum size of an object to read. */
const MAX_BYTES = 1 << 20;

/** Objects stored to probe a store, with checks of their expected state. */
export class ProbedObjects {
  readonly store: ObjectStore;
  readonly #folder: string;
  readonly #options: RetryOptions;
  readonly #keys = new Set<string>();

  /** @param folder - key prefix ending with a slash; used by nothing else */
  constructor(store: ObjectStore, folder: string, options: RetryOptions) {
    this.store = store;
    this.#folder = folder;
    this.#options = options;
  }

  /** Returns the full key of an object and registers it for deletion. */
  key(name: string): string {
    const key = this.#folder + name;
    this.#keys.add(key);
    return key;
  }

  /** Creates the error for a store that violates its contract. */
  unfit(what: string): ObjectStoreError {
    return new ObjectStoreError(
      "OBJECT_STORE_UNFIT",
      `${this.store.name} cannot be used, because it violates conditional requests: ${what}`,
      false,
    );
  }

  /** Puts an object that must not exist yet. */
  async putFirst(name: string, bytes: Uint8Array): Promise<void> {
    const put = await putOnce(this.store, this.key(name), bytes, this.#bounded());
    if (put.kind === "others") throw this.unfit("an object exists that was never put");
  }

  /** Requires that a put is rejected. */
  isRefused(put: () => Promise<PutOutcome>, what: string): Promise<void> {
    return this.until(async () => {
      const { kind } = await put();
      if (kind === "stored") throw this.unfit(`${what} was answered with 200`);
      return kind === "conflict" ? `${what} was answered with 409` : undefined;
    });
  }

  /** Requires that a put succeeds; its response may be lost. */
  isReplaced(name: string, put: () => Promise<PutOutcome>, bytes: Uint8Array): Promise<void> {
    let refusals = 0;
    return this.until(async () => {
      const { kind } = await put();
      if (kind === "stored") return undefined;
      const there = await this.read(name);
      if (there !== undefined && Buffer.compare(there, bytes) === 0) return undefined;
      if (++refusals >= MOST_REFUSALS) {
        throw this.unfit("a put with the right If-Match is rejected");
      }
      return "a put with the right If-Match was rejected";
    });
  }

  /** Requires that an object has the given content. */
  has(name: string, bytes: Uint8Array): Promise<void> {
    return this.until(async () => {
      const there = await this.read(name);
      const isRight = there !== undefined && Buffer.compare(there, bytes) === 0;
      if (!isRight) throw this.unfit("a rejected put has changed an object");
      return undefined;
    });
  }

  areListed(): Promise<void> {
    let tries = 0;
    return this.until(async () => {
      const listed = await this.store.list(this.#folder, undefined, 1_000);
      const keys = new Set(listed.map(({ key }) => key));
      if (keys.size === this.#keys.size && keys.isSubsetOf(this.#keys)) return undefined;
      if (++tries >= MOST_REFUSALS) throw this.unfit("the listed objects are not the stored ones");
      return "the listed objects are not the stored ones";
    });
  }

  async etagOf(name: string): Promise<string> {
    let etag = "";
    await this.until(async () => {
      const there = await this.store.get(this.key(name), MAX_BYTES);
      if (there === undefined) throw this.unfit("an object that was put is gone");
      if (there.etag === undefined) throw this.unfit("an object that was put has no strong ETag");
      ({ etag } = there);
      return undefined;
    });
    return etag;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return (await this.store.get(this.key(name), MAX_BYTES))?.bytes;
  }

  /**
   * Retries a check until it passes.
   *
   * @param attempt - returns the reason for a retry, or `undefined` when it passes
   */
  until(attempt: () => Promise<string | undefined>): Promise<void> {
    return retrying<void>(async () => {
      const why = await attempt();
      return why === undefined ? { kind: "done", result: undefined } : { kind: "again", why };
    }, this.#bounded());
  }

  /** Deletes all objects; failures are ignored. */
  async clean(): Promise<void> {
    for (const key of this.#keys) {
      for (let tries = 0; tries < DELETE_TRIES && !(await this.#isDeleted(key)); tries++);
    }
  }

  async #isDeleted(key: string): Promise<boolean> {
    try {
      await this.store.delete(key);
      return true;
    } catch (cause) {
      if (cause instanceof ObjectStoreError) return false;
      throw cause;
    }
  }

  /**
   * Waits for an unavailable store, but not for one that rejects requests: at startup an operator can fix
   * that.
   */
  #bounded(): RetryOptions {
    let refusals = 0;
    return {
      ...this.#options,
      onWaiting: (waiting) => {
        refusals = waiting.isRetryable ? 0 : refusals + 1;
        if (refusals >= MOST_REFUSALS) {
          throw new ObjectStoreError("OBJECT_STORE_FAILED", waiting.why, false);
        }
        this.#options.onWaiting(waiting);
      },
    };
  }
}
