import { ObjectStoreError } from "#base/errors/index.ts";

/**
 * Settles with a promise, or rejects when the signal is aborted first. The work then continues, but its
 * result is ignored.
 *
 * @throws {ObjectStoreError} `OBJECT_STORE_STOPPED` when the signal is aborted first; otherwise the promise's
 *   error
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

/** Creates the error for requests whose caller has stopped. */
export function stopped(): ObjectStoreError {
  return new ObjectStoreError("OBJECT_STORE_STOPPED", "the object store client was stopped", false);
}
