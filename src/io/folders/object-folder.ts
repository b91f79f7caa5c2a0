import { ObjectStoreError } from "#base/errors/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { withRetries } from "./with-retries.ts";
import { tooLong } from "./directory.ts";
import type { RemoteOptions, WritableFolder } from "./types.ts";

/** Files stored as objects below a store's prefix. */
export class ObjectFolder implements WritableFolder {
  readonly name: string;
  readonly #store: ObjectStore;
  readonly #options: RemoteOptions;

  constructor(store: ObjectStore, options: RemoteOptions) {
    this.name = store.name;
    this.#store = store;
    this.#options = options;
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const found = await withRetries(this.#options, () => this.#store.get(name, maxBytes));
      return found?.bytes;
    } catch (error) {
      const isLong = error instanceof ObjectStoreError && error.code === "OBJECT_STORE_TOO_LARGE";
      throw isLong ? tooLong(`${name} of ${this.name}`, maxBytes) : error;
    }
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    return withRetries(this.#options, () => this.#store.put(name, bytes));
  }

  remove(name: string): Promise<void> {
    return withRetries(this.#options, () => this.#store.delete(name));
  }
}
