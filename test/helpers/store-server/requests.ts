import type { IncomingHttpHeaders } from "node:http";
import { listing, refusal, type StoreAnswer } from "./answers.ts";
import type { ConditionKeeping, StoreMethod } from "./faults.ts";
import { type Bucket, etagOf } from "./objects.ts";

/** A request with a valid signature. */
export interface StoreRequest {
  readonly method: StoreMethod;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** Delay between check and write in a store that does them in two steps. */
const TWO_STEPS_MS = 20;

/** Number of writes by key. */
export type StoreWrites = Map<string, number>;

/** State of a store in addition to its objects. */
export interface StoreRecords {
  readonly writes: StoreWrites;
  /** Keys of objects written by another tool, which have no ETag. */
  readonly copies: Set<string>;
}

/** Executes a request. */
export async function effectOf(
  request: StoreRequest,
  bucket: Bucket,
  { writes, copies }: StoreRecords,
  conditions: ConditionKeeping,
): Promise<StoreAnswer> {
  const { method, key, query } = request;
  if (method === "LIST") return list(bucket, query);
  if (method === "GET") return get(bucket, key, copies.has(key));
  if (method === "DELETE") {
    bucket.delete(key);
    return { status: 204, headers: {}, body: "" };
  }
  if (isOther(request)) return refusal("BadDigest");
  if (conditions !== "ignored") {
    const wrong = unmet(bucket, request, copies.has(key));
    if (wrong !== undefined) return wrong;
    // Otherwise nothing happens between check and write, as this is one process and both are
    // synchronous.
    if (conditions === "twoSteps") await Bun.sleep(TWO_STEPS_MS);
  }
  bucket.put(key, request.body);
  copies.delete(key);
  writes.set(key, (writes.get(key) ?? 0) + 1);
  return { status: 200, headers: { etag: `"${etagOf(request.body)}"` }, body: "" };
}

/** Whether the body differs from the sent one; undetectable without a digest. */
function isOther({ headers, body }: StoreRequest): boolean {
  const digest = headers["content-md5"];
  if (digest === undefined) return false;
  return new Bun.CryptoHasher("md5").update(body).digest("base64") !== digest;
}

/** Source: Amazon S3 User Guide, "How to prevent object overwrites with conditional writes". */
function unmet(
  bucket: Bucket,
  { key, headers }: StoreRequest,
  isCopy: boolean,
): StoreAnswer | undefined {
  const before = bucket.get(key);
  const match = headers["if-match"];
  if (headers["if-none-match"] === "*" && before !== undefined)
    return refusal("PreconditionFailed");
  if (match === undefined) return undefined;
  if (before === undefined) return refusal("NoSuchKey");
  const isMet = !isCopy && match.replaceAll('"', "") === etagOf(before);
  return isMet ? undefined : refusal("PreconditionFailed");
}

function get(bucket: Bucket, key: string, isCopy: boolean): StoreAnswer {
  const bytes = bucket.get(key);
  if (bytes === undefined) return refusal("NoSuchKey");
  return {
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      ...(isCopy ? {} : { etag: `"${etagOf(bytes)}"` }),
    },
    body: bytes,
  };
}

/** A token is the last key of the previous page. */
function list(bucket: Bucket, query: URLSearchParams): StoreAnswer {
  const most = Math.min(1_000, Number(query.get("max-keys") ?? 1_000));
  const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
  const keys = bucket.keys(query.get("prefix") ?? "").filter((key) => key > after);
  const page = keys.slice(0, most).map((key) => ({
    key,
    sizeBytes: bucket.sizeBytes(key),
    etag: etagOf(bucket.get(key) ?? new Uint8Array()),
  }));
  return listing(page, keys.length > most ? page.at(-1)?.key : undefined);
}
