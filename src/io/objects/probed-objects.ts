import { ObjectStoreError } from "#base/errors/index.ts";
import { putOnce } from "./put-once.ts";
import { type RetryOptions, retrying } from "./retrying.ts";
import type { ObjectStore, PutOutcome } from "./types.ts";

/** How often in a row a store may say that something will never do, or be of no use, before it is believed. */
const MOST_REFUSALS = 8;

/** How often it is tried to delete an object: what stays does no harm. */
const DELETE_TRIES = 5;

/** Most bytes of an object that is read. */
const MAX_BYTES = 1 << 20;

/** Objects that are stored to try a store out, and what has to be true of them. */
export class ProbedObjects {
  readonly store: ObjectStore;
  readonly #folder: string;
  readonly #options: RetryOptions;
  readonly #keys = new Set<string>();

  /** @param folder - of keys, with a slash at its end; nobody else uses it */
  constructor(store: ObjectStore, folder: string, options: RetryOptions) {
    this.store = store;
    this.#folder = folder;
    this.#options = options;
  }

  /** The whole key of an object, which will be deleted. */
  key(name: string): string {
    const key = this.#folder + name;
    this.#keys.add(key);
    return key;
  }

  /** The store does something that it must not do. */
  unfit(what: string): ObjectStoreError {
    return new ObjectStoreError(
      "OBJECT_STORE_UNFIT",
      `${this.store.name} cannot be used, as it does not keep conditions: ${what}`,
      false,
    );
  }

  /** Puts an object that nobody else has put. */
  async putFirst(name: string, bytes: Uint8Array): Promise<void> {
    const put = await putOnce(this.store, this.key(name), bytes, this.#bounded());
    if (put.kind === "others") throw this.unfit("an object was there that nobody has put");
  }

  /** A put has to be refused. */
  isRefused(put: () => Promise<PutOutcome>, what: string): Promise<void> {
    return this.until(async () => {
      const { kind } = await put();
      if (kind === "stored") throw this.unfit(`${what} was answered with 200`);
      return kind === "conflict" ? `${what} was answered with 409` : undefined;
    });
  }

  /** A put has to be taken; its answer may be lost. */
  isReplaced(name: string, put: () => Promise<PutOutcome>, bytes: Uint8Array): Promise<void> {
    let refusals = 0;
    return this.until(async () => {
      const { kind } = await put();
      if (kind === "stored") return undefined;
      const there = await this.read(name);
      if (there !== undefined && Buffer.compare(there, bytes) === 0) return undefined;
      if (++refusals >= MOST_REFUSALS) {
        throw this.unfit("a put with the right If-Match is not taken");
      }
      return "a put with the right If-Match was not taken";
    });
  }

  /** An object has to have a content. */
  has(name: string, bytes: Uint8Array): Promise<void> {
    return this.until(async () => {
      const there = await this.read(name);
      const isRight = there !== undefined && Buffer.compare(there, bytes) === 0;
      if (!isRight) throw this.unfit("a put that was refused has changed an object");
      return undefined;
    });
  }

  /** All objects have to be listed. */
  areListed(): Promise<void> {
    let tries = 0;
    return this.until(async () => {
      const listed = await this.store.list(this.#folder, undefined, 1_000);
      const keys = new Set(listed.map(({ key }) => key));
      if (keys.size === this.#keys.size && keys.isSubsetOf(this.#keys)) return undefined;
      if (++tries >= MOST_REFUSALS) throw this.unfit("what is stored is not what is listed");
      return "what is stored is not what is listed";
    });
  }

  async etagOf(name: string): Promise<string> {
    let etag = "";
    await this.until(async () => {
      const there = await this.store.get(this.key(name), MAX_BYTES);
      if (there === undefined) throw this.unfit("an object is gone that was put");
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
   * Repeats something until it has nothing to say.
   *
   * @param attempt - says why it has to be repeated
   */
  until(attempt: () => Promise<string | undefined>): Promise<void> {
    return retrying<void>(async () => {
      const why = await attempt();
      return why === undefined ? { kind: "done", result: undefined } : { kind: "again", why };
    }, this.#bounded());
  }

  /** Deletes them, as far as it can be done. */
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

  /** Waits for a store that is away, but not for one that refuses: at a start somebody is there to see it. */
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
