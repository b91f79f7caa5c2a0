import { type Attempted, type RetryOptions, retrying } from "./retrying.ts";
import type { ObjectStore } from "./types.ts";

/** Whose bytes an object has. */
export type PutOnceOutcome =
  { readonly kind: "ours" } | { readonly kind: "others"; readonly bytes: Uint8Array<ArrayBuffer> };

/** Most bytes of an object of others that is read to compare it. */
const MAX_OTHERS_BYTES = 256 << 20;

/**
 * Puts an object that is not there yet, and finds out whose it became. An answer that is lost leaves it
 * open whether the put had its effect: the same put is sent again until the store has said it, bounded by
 * nothing but the signal.
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
  return retrying(() => attempt(store, key, bytes), options);
}

async function attempt(
  store: ObjectStore,
  key: string,
  bytes: Uint8Array,
): Promise<Attempted<PutOnceOutcome>> {
  const put = await store.putIfAbsent(key, bytes);
  if (put.kind === "stored") return { kind: "done", result: { kind: "ours" } };
  if (put.kind === "conflict") {
    return { kind: "again", why: `${store.name}: another put of ${key} is under way` };
  }
  const there = await store.get(key, MAX_OTHERS_BYTES);
  if (there === undefined) {
    return { kind: "again", why: `${store.name}: ${key} was said to be there, and is not` };
  }
  const isOurs = Buffer.compare(there.bytes, bytes) === 0;
  return {
    kind: "done",
    result: isOurs ? { kind: "ours" } : { kind: "others", bytes: there.bytes },
  };
}
