import { ObjectStoreError } from "#base/errors/index.ts";

/**
 * What a promise comes to, but not for longer than there is somebody to wait for: an attempt that is under
 * way then goes on by itself, and nobody hears of it.
 *
 * @throws {ObjectStoreError} `OBJECT_STORE_STOPPED` when the signal is aborted first; else what the promise does
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(stopped());
    const unlink = (): void => signal.removeEventListener("abort", end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    work.then(resolve, reject).finally(unlink);
  });
}

/** What questions end with whose asker has stopped. */
export function stopped(): ObjectStoreError {
  return new ObjectStoreError("OBJECT_STORE_STOPPED", "the object store is asked no more", false);
}
