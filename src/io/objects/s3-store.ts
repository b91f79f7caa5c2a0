import { S3mini, S3ServiceError } from "s3mini";
import { ObjectStoreError } from "#base/errors/index.ts";
import type { ObjectStoreKeys } from "./keys.ts";
import type {
  ListedObject,
  ObjectStore,
  ObjectStoreOptions,
  PutOutcome,
  StoredObject,
} from "./types.ts";

/** How long one attempt may take. */
const ATTEMPT_MS = 10_000;

/**
 * An S3-compatible store. Nothing is sent before the first question.
 *
 * Conditions are sent as `If-None-Match` and `If-Match`.
 * Source: Amazon S3 User Guide, "Add preconditions to S3 operations with conditional requests".
 *
 * @param signal - ends what is under way, and all that is asked afterwards
 */
export function openObjectStore(
  options: ObjectStoreOptions,
  keys: ObjectStoreKeys,
  signal: AbortSignal,
): ObjectStore {
  return new S3Store(options, keys, signal);
}

class S3Store implements ObjectStore {
  readonly name: string;
  readonly #client: S3mini;
  readonly #prefix: string;
  readonly #more: Readonly<Record<`x-amz-${string}`, string>>;

  constructor(options: ObjectStoreOptions, keys: ObjectStoreKeys, signal: AbortSignal) {
    const { bucket, prefix, endpoint, region } = options;
    this.name = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`} at ${endpoint}`;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#more = keys.sessionToken === null ? {} : { "x-amz-security-token": keys.sessionToken };
    this.#client = new S3mini({
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      endpoint: `${endpoint}/${bucket}`,
      region,
      // A function of our own also keeps the client off the runtime's, which drops conditions.
      fetch: ((input: string | URL | Request, init?: RequestInit) =>
        fetch(input, {
          ...init,
          signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
        })) as typeof fetch,
    });
  }

  async get(key: string, maxBytes: number): Promise<StoredObject | undefined> {
    return this.#attempt(async () => {
      const { etag, data } = await this.#client.getObjectWithETag(this.#prefix + key);
      if (data === null || etag === null) return undefined;
      if (data.byteLength > maxBytes) {
        throw new ObjectStoreError(
          "OBJECT_STORE_TOO_LARGE",
          `${key} has ${data.byteLength} bytes, more than ${maxBytes}`,
          false,
        );
      }
      return { bytes: new Uint8Array(data), etag };
    });
  }

  putIfAbsent(key: string, bytes: Uint8Array): Promise<PutOutcome> {
    return this.#put(key, bytes, { "If-None-Match": "*" });
  }

  putIfMatch(key: string, bytes: Uint8Array, etag: string): Promise<PutOutcome> {
    return this.#put(key, bytes, { "If-Match": `"${etag}"` });
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#put(key, bytes, {});
  }

  async delete(key: string): Promise<void> {
    await this.#attempt(() => this.#client.deleteObject(this.#prefix + key));
  }

  async list(
    prefix: string,
    after: string | undefined,
    max: number,
  ): Promise<readonly ListedObject[]> {
    const start = after === undefined ? {} : { "start-after": this.#prefix + after };
    const page = await this.#attempt(() =>
      this.#client.listObjectsPaged("/", this.#prefix + prefix, max, undefined, start),
    );
    return (page?.objects ?? []).map(({ Key: key, Size: size }) => ({
      key: key.slice(this.#prefix.length),
      sizeBytes: Number(size),
    }));
  }

  async #put(
    key: string,
    bytes: Uint8Array,
    condition: Readonly<Record<string, string>>,
  ): Promise<PutOutcome> {
    const headers = { ...this.#more, ...condition };
    try {
      return await this.#attempt(async () => {
        const response = await this.#client.putObject(
          this.#prefix + key,
          bytes,
          "application/octet-stream",
          undefined,
          headers,
        );
        return { kind: "stored", etag: (response.headers.get("etag") ?? "").replaceAll('"', "") };
      });
    } catch (error) {
      const status = error instanceof ObjectStoreError ? error.meta["status"] : undefined;
      if (status === 412) return { kind: "unmet" };
      if (status === 409) return { kind: "conflict" };
      throw error;
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof ObjectStoreError) throw cause;
      const status = cause instanceof S3ServiceError ? cause.status : 0;
      const isLater = status === 0 || status === 429 || status >= 500;
      throw new ObjectStoreError(
        "OBJECT_STORE_FAILED",
        `${this.name}: ${status === 0 ? "no answer" : `status ${status}`}`,
        isLater,
        { cause, meta: { status } },
      );
    }
  }
}
