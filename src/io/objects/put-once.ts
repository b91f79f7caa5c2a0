import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type Attempted, type RetryOptions, retrying } from "./retrying.ts";
import type { ObjectStore } from "./types.ts";

/** Whose bytes an object has. */
export type PutOnceOutcome =
  { readonly kind: "ours" } | { readonly kind: "others"; readonly bytes: Uint8Array<ArrayBuffer> };

/** Most bytes of an object of others that is read to compare it. */
const MAX_OTHERS_BYTES = 256 << 20;

/** A put without a response for so long is looked for with a get, while it is still waited for. */
export const UNANSWERED_MS = 3_000;

/**
 * Puts an object that is not there yet, and finds out whose it became. A response that is late or lost, or a
 * status that leaves it open whether the put had its effect, is followed by a get: the object decides. Where
 * there is none the same put is sent again, bounded by nothing but the signal.
 *
 * Source: Amazon S3 User Guide, "How to prevent object overwrites with conditional writes": 412, the object
 * is there; 409, another request was under way, try again.
 *
 * @throws {ObjectStoreError} `OBJECT_STORE_STOPPED` when the signal is aborted: it is not known then
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
      // The response of the put is still waited for.
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

/** What the response to a put says, or the object where it says nothing. */
async function answered(
  store: ObjectStore,
  key: string,
  bytes: Uint8Array,
): Promise<Attempted<PutOnceOutcome>> {
  try {
    const { kind } = await store.putIfAbsent(key, bytes);
    if (kind === "stored") return { kind: "done", result: { kind: "ours" } };
    if (kind === "conflict") {
      return { kind: "again", why: `${store.name}: another put of ${key} is under way` };
    }
  } catch (error) {
    if (!(error instanceof ObjectStoreError) || !error.retryable) throw error;
    const result = await ownerOf(store, key, bytes).catch((unread: unknown) => {
      // The put is what people have to know of.
      throw unread instanceof ObjectStoreError ? error : unread;
    });
    if (result === undefined) throw error;
    return { kind: "done", result };
  }
  const result = await ownerOf(store, key, bytes);
  return result === undefined
    ? { kind: "again", why: `${store.name}: ${key} was said to be there, and is not` }
    : { kind: "done", result };
}

/** Whose bytes an object has; `undefined`: there is no object. */
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
