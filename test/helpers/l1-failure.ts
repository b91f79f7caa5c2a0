import { L1Error } from "#base/errors/index.ts";

/** Error of a rejected promise. */
export async function l1FailureOf(promise: Promise<unknown>): Promise<L1Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof L1Error)) throw new TypeError("it did not fail with an L1Error");
  return error;
}
