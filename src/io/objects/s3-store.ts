import { invariant, type ObjectStoreError } from "#base/errors/index.ts";
import { type Endpoint, endpointOf } from "#io/http/index.ts";
import { storeName } from "./address.ts";
import { brokenAnswer, codeOf, refusalOf, type S3Answer, tooLarge } from "./failures.ts";
import type { ObjectStoreKeys } from "./keys.ts";
import { isOwnKey, type ListedPage, readListing } from "./listing.ts";
import { type S3Request, S3Requests } from "./s3-request.ts";
import type {
  ListedObject,
  ObjectStore,
  ObjectStoreOptions,
  PutOutcome,
  StoredObject,
} from "./types.ts";

/** Minimum response limit, for the text of an error; and limit of a listing with 1000 keys. */
const MAX_ERROR_BYTES = 64 << 10;
const MAX_LISTING_BYTES = 4 << 20;

/** Maximum number of pages per listing: a store may return short pages, but not endlessly. */
const MAX_PAGES = 100;

/** Strong validator; weak ones cannot be used for conditions. Source: RFC 9110, section 8.8.3. */
const ETAG = /^"([\x21\x23-\x7e]{1,256})"$/;

/**
 * Opens an S3-compatible store. Sends no request by itself.
 *
 * Conditions are sent as `If-None-Match` and `If-Match`. Source: Amazon S3 User Guide, "Add preconditions to
 * S3 operations with conditional requests".
 *
 * @param signal - aborts requests in flight, and rejects later ones
 */
export function openObjectStore(
  options: ObjectStoreOptions,
  keys: ObjectStoreKeys,
  signal: AbortSignal,
): ObjectStore {
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const secrets = [accessKeyId, secretAccessKey, sessionToken ?? ""];
  const endpoint = endpointOf(options.endpoint, secrets);
  return new S3Store(options, endpoint, new S3Requests(options, keys, signal));
}

class S3Store implements ObjectStore {
  readonly name: string;
  readonly #requests: S3Requests;
  readonly #masked: Endpoint["masked"];
  readonly #prefix: string;

  constructor(options: ObjectStoreOptions, { masked }: Endpoint, requests: S3Requests) {
    const { prefix } = options;
    this.name = storeName(options);
    this.#masked = masked;
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#requests = requests;
  }

  async get(key: string, maxBytes: number): Promise<StoredObject | undefined> {
    const maxAnswerBytes = Math.max(maxBytes, MAX_ERROR_BYTES);
    const { answer, label } = await this.#ask("GET", key, { maxAnswerBytes });
    if (isMissing(answer)) return undefined;
    if (answer.status !== 200) throw this.#refusal(label, answer);
    if (answer.bytes.byteLength > maxBytes) throw tooLarge(label, maxBytes);
    const etag = strongEtag(answer);
    if (etag === undefined) await this.#requireListed(key, answer.bytes.byteLength, label);
    return { bytes: answer.bytes, etag };
  }

  putIfAbsent(key: string, bytes: Uint8Array): Promise<PutOutcome> {
    return this.#put(key, bytes, { "if-none-match": "*" });
  }

  putIfMatch(key: string, bytes: Uint8Array, etag: string): Promise<PutOutcome> {
    return this.#put(key, bytes, { "if-match": `"${etag}"` });
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const { answer, label } = await this.#ask("PUT", key, { body: bytes });
    if (answer.status !== 200) throw this.#refusal(label, answer);
  }

  async delete(key: string): Promise<void> {
    const { answer, label } = await this.#ask("DELETE", key, {});
    const isDone = answer.status === 200 || answer.status === 204 || isMissing(answer);
    if (!isDone) throw this.#refusal(label, answer);
  }

  async list(
    prefix: string,
    after: string | undefined,
    max: number,
  ): Promise<readonly ListedObject[]> {
    const objects: ListedObject[] = [];
    let next: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const last = objects.at(-1)?.key ?? after;
      const page = await this.#page(prefix, last, max - objects.length, next);
      objects.push(...page.objects);
      ({ next } = page);
      if (next === undefined || objects.length >= max) return objects.slice(0, max);
    }
    throw brokenAnswer(`${this.name}: LIST ${prefix}`, "the listing does not end");
  }

  /**
   * Checks a response without an ETag: a proxy in front of the store could have sent it. It is accepted only
   * if the store lists the object with the same size.
   *
   * @throws {ObjectStoreError} retryable, when it does not
   */
  async #requireListed(key: string, sizeBytes: number, label: string): Promise<void> {
    const [listed] = await this.list(key, undefined, 1);
    if (listed?.key === key && listed.sizeBytes === sizeBytes) return;
    throw brokenAnswer(label, "the response has no strong ETag and does not match the listing");
  }

  async #page(
    prefix: string,
    after: string | undefined,
    max: number,
    token: string | undefined,
  ): Promise<ListedPage> {
    const label = `${this.name}: LIST ${prefix}`;
    const whole = this.#prefix + prefix;
    const start = after === undefined ? undefined : this.#prefix + after;
    const answer = await this.#requests.ask({
      method: "GET",
      key: "/",
      query: {
        "list-type": "2",
        "max-keys": String(max),
        ...(whole === "" ? {} : { prefix: whole }),
        ...(start === undefined ? {} : { "start-after": start }),
        ...(token === undefined ? {} : { "continuation-token": token }),
      },
      headers: {},
      body: undefined,
      maxAnswerBytes: MAX_LISTING_BYTES,
      label,
    });
    if (answer.status !== 200) throw this.#refusal(label, answer);
    const page = readListing(new TextDecoder().decode(answer.bytes), whole, start ?? "");
    if (page === undefined) throw brokenAnswer(label, "the response is not a listing");
    const { objects, next } = page;
    return {
      objects: objects.map(({ key, sizeBytes }) => ({
        key: key.slice(this.#prefix.length),
        sizeBytes,
      })),
      next,
    };
  }

  async #put(
    key: string,
    bytes: Uint8Array,
    condition: Readonly<Record<string, string>>,
  ): Promise<PutOutcome> {
    const { answer, label } = await this.#ask("PUT", key, { body: bytes, headers: condition });
    const { status } = answer;
    // A condition on a missing object fails; some stores report 404.
    if (status === 412 || isMissing(answer)) return { kind: "unmet" };
    if (status === 409) return { kind: "conflict" };
    if (status !== 200) throw this.#refusal(label, answer);
    return { kind: "stored", etag: etagOf(label, answer) };
  }

  #refusal(label: string, answer: S3Answer): ObjectStoreError {
    return refusalOf(label, answer, this.#masked);
  }

  async #ask(
    method: S3Request["method"],
    key: string,
    more: Partial<Pick<S3Request, "body" | "headers" | "maxAnswerBytes">>,
  ): Promise<{ readonly answer: S3Answer; readonly label: string }> {
    invariant(isOwnKey(key), "keys have letters, digits and -_./ only");
    const label = `${this.name}: ${method} ${key}`;
    const { body, headers = {}, maxAnswerBytes = MAX_ERROR_BYTES } = more;
    const answer = await this.#requests.ask({
      method,
      key: this.#prefix + key,
      query: {},
      headers: {
        ...headers,
        ...(body === undefined ? {} : contentOf(body)),
      },
      body,
      maxAnswerBytes,
      label,
    });
    return { answer, label };
  }
}

/**
 * Headers of a body. The store verifies its digest, which detects corruption in transit. Source: RFC 1864.
 */
function contentOf(body: Uint8Array): Readonly<Record<string, string>> {
  return {
    "content-type": "application/octet-stream",
    "content-md5": new Bun.CryptoHasher("md5").update(body).digest("base64"),
  };
}

/** Requires the store's own error code: a 404 of a proxy says nothing about the object. */
function isMissing(answer: S3Answer): boolean {
  return answer.status === 404 && codeOf(answer) === "NoSuchKey";
}

function etagOf(label: string, answer: S3Answer): string {
  const etag = strongEtag(answer);
  if (etag === undefined) throw brokenAnswer(label, "the response has no strong ETag");
  return etag;
}

function strongEtag({ headers }: S3Answer): string | undefined {
  return ETAG.exec(headers.get("etag") ?? "")?.[1];
}
