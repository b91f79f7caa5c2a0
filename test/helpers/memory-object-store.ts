import { ObjectStoreError } from "#base/errors/index.ts";
import type { ListedObject, ObjectStore, PutOutcome, StoredObject } from "#io/objects/index.ts";

/** A request to a store. */
export interface StoreQuestion {
  readonly method: "get" | "putIfAbsent" | "putIfMatch" | "put" | "delete" | "list";
  readonly key: string;
}

/**
 * What happens to a request at a {@link MemoryObjectStore}: nothing special (`none`); it fails
 * without an effect; or it takes effect and the response is lost.
 */
export type StoreFault = "none" | "down" | "lost" | "conflict" | "denied";

/** Objects in memory, with the conditions of S3. Tests inject faults and inspect the contents. */
export class MemoryObjectStore implements ObjectStore {
  readonly name = "a store in memory";
  readonly objects: Map<string, Uint8Array<ArrayBuffer>> = new Map();
  /** Keys of objects written by another tool, which have no ETag. */
  readonly copies: Set<string> = new Set();
  /** All requests, in order. */
  readonly questions: StoreQuestion[] = [];
  /** Chooses the fault of a request; it may delay it. */
  fault: (question: StoreQuestion) => StoreFault | Promise<StoreFault> = () => "none";

  get(key: string, maxBytes: number): Promise<StoredObject | undefined> {
    return this.#ask("get", key, () => {
      const bytes = this.objects.get(key);
      if (bytes === undefined) return undefined;
      if (bytes.length > maxBytes) {
        throw new ObjectStoreError("OBJECT_STORE_TOO_LARGE", `${key} is too large`, false);
      }
      return { bytes: bytes.slice(), etag: this.copies.has(key) ? undefined : etagOf(bytes) };
    });
  }

  putIfAbsent(key: string, bytes: Uint8Array): Promise<PutOutcome> {
    return this.#put("putIfAbsent", key, bytes, (before) => before === undefined);
  }

  putIfMatch(key: string, bytes: Uint8Array, etag: string): Promise<PutOutcome> {
    const isMet = (before: Uint8Array | undefined): boolean =>
      before !== undefined && !this.copies.has(key) && etagOf(before) === etag;
    return this.#put("putIfMatch", key, bytes, isMet);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#put("put", key, bytes, () => true);
  }

  async delete(key: string): Promise<void> {
    await this.#ask("delete", key, () => this.objects.delete(key));
  }

  list(prefix: string, after: string | undefined, max: number): Promise<readonly ListedObject[]> {
    return this.#ask("list", prefix, () =>
      [...this.objects]
        .filter(([key]) => key.startsWith(prefix) && (after === undefined || key > after))
        .map(([key, { length: sizeBytes }]) => ({ key, sizeBytes }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, max),
    );
  }

  #put(
    method: StoreQuestion["method"],
    key: string,
    bytes: Uint8Array,
    isMet: (before: Uint8Array | undefined) => boolean,
  ): Promise<PutOutcome> {
    return this.#ask<PutOutcome>(
      method,
      key,
      () => {
        if (!isMet(this.objects.get(key))) return { kind: "unmet" };
        const kept = new Uint8Array(bytes);
        this.objects.set(key, kept);
        this.copies.delete(key);
        return { kind: "stored", etag: etagOf(kept) };
      },
      { kind: "conflict" },
    );
  }

  async #ask<T>(
    method: StoreQuestion["method"],
    key: string,
    work: () => T,
    conflict?: T,
  ): Promise<T> {
    const question = { method, key };
    this.questions.push(question);
    const fault = await this.fault(question);
    if (fault === "conflict" && conflict !== undefined) return conflict;
    if (fault === "denied") {
      throw new ObjectStoreError("OBJECT_STORE_FAILED", "status 403", false, {
        meta: { status: 403 },
      });
    }
    if (fault === "none" || fault === "lost") {
      const answer = work();
      if (fault === "none") return answer;
    }
    throw new ObjectStoreError("OBJECT_STORE_FAILED", "no answer", true, { meta: { status: 0 } });
  }
}

function etagOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("md5").update(bytes).digest("hex");
}
