/** Where an S3-compatible store is. Holds no secrets: keys are read where the store is used. */
export interface ObjectStoreOptions {
  readonly bucket: string;
  /** Of every key, without slashes at its ends; empty: there is none. */
  readonly prefix: string;
  /** Address of the service, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  /** File with the keys; `null`: they are in the environment. */
  readonly credentialsFile: string | null;
}

/** An object and what recognizes this content of it. */
export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * Strong ETag; `undefined` when the store has none for it: another tool has written it, as in a copy of a
   * store. Such an object can be recognized by its bytes alone, and replaced with {@link ObjectStore.put}.
   */
  readonly etag: string | undefined;
}

/** An object as a listing tells it. */
export interface ListedObject {
  /** Below the store's prefix. */
  readonly key: string;
  readonly sizeBytes: number;
}

/**
 * What one attempt of a conditional put came to:
 *
 * - `stored`: the object is ours now (200);
 * - `unmet`: the condition does not hold (412); it may be our own put of before that made it so;
 * - `conflict`: another put was under way (409): nothing is known, try again.
 */
export type PutOutcome =
  | { readonly kind: "stored"; readonly etag: string }
  | { readonly kind: "unmet" }
  | { readonly kind: "conflict" };

/**
 * Objects by key in one bucket below one prefix. Each method is one attempt, bounded in time and in size;
 * keys have letters, digits and `-_./` only.
 *
 * Every method throws an {@link ObjectStoreError}: retryable where nothing came or the store is out of
 * order (time is over, 5xx, 429, a broken answer), else not (403, 404 of the bucket, 400).
 */
export interface ObjectStore {
  /** For people: `s3://BUCKET/PREFIX at ENDPOINT`, without keys. */
  readonly name: string;
  /**
   * An object whole.
   *
   * @param maxBytes - a larger one is an error
   * @returns `undefined`: there is none
   */
  get(key: string, maxBytes: number): Promise<StoredObject | undefined>;
  /** Stores an object that is not there yet (`If-None-Match: *`). */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<PutOutcome>;
  /** Stores an object in the place of the content that `etag` recognizes (`If-Match`). */
  putIfMatch(key: string, bytes: Uint8Array, etag: string): Promise<PutOutcome>;
  /** Stores an object, whatever is there. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Deletes an object; one that is not there is none. */
  delete(key: string): Promise<void>;
  /**
   * Objects below a prefix of keys, by ascending key.
   *
   * @param after - only keys behind it; `undefined`: from the first on
   * @param max - at most 1000
   */
  list(prefix: string, after: string | undefined, max: number): Promise<readonly ListedObject[]>;
}
