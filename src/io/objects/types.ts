/** Location of an S3-compatible store. Holds no secrets: keys are read where the store is used. */
export interface ObjectStoreOptions {
  readonly bucket: string;
  /** Prefix of every key, without leading or trailing slash; may be empty. */
  readonly prefix: string;
  /** URL of the service, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  /** File with the keys; `null` to read them from the environment. */
  readonly credentialsFile: string | null;
}

/** Object with an identifier of its content. */
export interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * Strong ETag; `undefined` if the store reports none, because another tool wrote the object, for example
   * while copying a store. Such an object is identified only by its bytes, and replaced with
   * {@link ObjectStore.put}.
   */
  readonly etag: string | undefined;
}

/** Object in a listing. */
export interface ListedObject {
  /** Key below the store's prefix. */
  readonly key: string;
  readonly sizeBytes: number;
}

/**
 * Outcome of one attempt of a conditional put:
 *
 * - `stored`: the object is ours now (200);
 * - `unmet`: the condition does not hold (412), perhaps because of our own earlier put;
 * - `conflict`: another put was in progress (409); the outcome is unknown, so retry.
 */
export type PutOutcome =
  | { readonly kind: "stored"; readonly etag: string }
  | { readonly kind: "unmet" }
  | { readonly kind: "conflict" };

/**
 * Objects by key, in one bucket below one prefix. Each method makes one attempt, with limits of time and
 * size. Keys contain only letters, digits and `-_./`.
 *
 * Every method throws an {@link ObjectStoreError}. It is retryable if no response arrived or the store is
 * unavailable (timeout, 5xx, 429, a broken response), otherwise not (403, 404 of the bucket, 400).
 */
export interface ObjectStore {
  /** Display name: `s3://BUCKET/PREFIX at ENDPOINT`, without keys. */
  readonly name: string;
  /**
   * Returns a whole object.
   *
   * @param maxBytes - size limit; a larger object is an error
   * @returns `undefined` if it does not exist
   */
  get(key: string, maxBytes: number): Promise<StoredObject | undefined>;
  /** Stores an object that does not exist yet (`If-None-Match: *`). */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<PutOutcome>;
  /** Replaces an object whose content matches `etag` (`If-Match`). */
  putIfMatch(key: string, bytes: Uint8Array, etag: string): Promise<PutOutcome>;
  /** Stores an object unconditionally. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Deletes an object; a missing one is not an error. */
  delete(key: string): Promise<void>;
  /**
   * Lists objects below a prefix, by ascending key.
   *
   * @param after - returns only keys after this one; `undefined` to start with the first
   * @param max - maximum number, at most 1000
   */
  list(prefix: string, after: string | undefined, max: number): Promise<readonly ListedObject[]>;
}
