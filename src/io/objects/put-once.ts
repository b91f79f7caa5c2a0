import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Attempted, type RetryOptions, retrying } from "./retrying.ts";
import type { ObjectStore } from "./types.ts";

/**
 * Whose content the object has after a put that must not replace anything: ours, or that of another writer,
 * with its bytes.
 */
export type PutOnceOutcome =
  { readonly kind: "ours" } | { readonly kind: "others"; readonly bytes: Uint8Array<ArrayBuffer> };

/** Maximum size of another owner's object that is read for comparison. */
const MAX_OTHERS_BYTES = 256 << 20;

/** Time without a response to a put after which a get looks for its effect; the put stays in flight. */
export const UNANSWERED_MS = 3_000;

/**
 * Puts an object that must not exist yet, and determines whose content it has. After a late, lost or
 * inconclusive response, a get decides. If the object does not exist, the put is retried until the signal is
 * aborted.
 *
 * Source: Amazon S3 User Guide, "How to prevent object overwrites with conditional writes": 412 means that
 * the object exists; 409 that another request was in progress, so retry.
 *
 * @throws {ObjectStoreError} `OBJECT_STORE_STOPPED` when the signal is aborted; the outcome is then unknown
 */
export function putOnce(
  store: ObjectStore,
  key: string,
  bytes: Uint8Array,
  options: RetryOptions,
): Promise<PutOnceOutcome> {
  return retrying(() => attempt(store, key, bytes, options.timer), options);
}

async function attempt(
  store: ObjectStore,
  key: string,
  bytes: Uint8Array,
  timer: Timer,
): Promise<Attempted<PutOnceOutcome>> {
  const late = Promise.withResolvers<Attempted<PutOnceOutcome>>();
  const look = async (): Promise<void> => {
    try {
      const result = await ownerOf(store, key, bytes);
      if (result !== undefined) late.resolve({ kind: "done", result });
    } catch (error) {
      // The response of the put may still arrive.
      if (!(error instanceof ObjectStoreError)) late.reject(error);
    }
  };
  const cancel = timer.after(UNANSWERED_MS, () => void look());
  try {
    return await Promise.race([late.promise, answered(store, key, bytes)]);
  } finally {
    cancel();
  }
}

/** Determines the outcome from the response of a put, or from the object if the response is inconclusive. */
async function answered(
  store: ObjectStore,
  key: string,
  bytes: Uint8Array,
): Promise<Attempted<PutOnceOutcome>> {
  try {
    const { kind } = await store.putIfAbsent(key, bytes);
    if (kind === "stored") return { kind: "done", result: { kind: "ours" } };
    if (kind === "conflict") {
      return { kind: "again", why: `${store.name}: another put of ${key} is in progress` };
    }
  } catch (error) {
    if (!(error instanceof ObjectStoreError) || !error.retryable) throw error;
    const result = await ownerOf(store, key, bytes).catch((unread: unknown) => {
      // The put's error is the one to report.
      throw unread instanceof ObjectStoreError ? error : unread;
    });
    if (result === undefined) throw error;
    return { kind: "done", result };
  }
  const result = await ownerOf(store, key, bytes);
  return result === undefined
    ? { kind: "again", why: `${store.name}: ${key} was reported to exist, but it does not` }
    : { kind: "done", result };
}

/** Returns whose content an object has; `undefined` if it does not exist. */
async function ownerOf(
  store: Pick<ObjectStore, "get">,
  key: string,
  bytes: Uint8Array,
): Promise<PutOnceOutcome | undefined> {
  const found = await store.get(key, MAX_OTHERS_BYTES);
  if (found === undefined) return undefined;
  const isOurs = Buffer.compare(found.bytes, bytes) === 0;
  return isOurs ? { kind: "ours" } : { kind: "others", bytes: found.bytes };
}
