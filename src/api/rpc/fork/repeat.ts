import { OriginMissing, originQueryText } from "#io/origin/index.ts";
import type { FetchedOrigin } from "../context.ts";
import { NotServedError } from "../errors.ts";
import type { Client } from "../limits/fair-queue.ts";

/** Origin of a fork that fetches values for calls. */
export type FetchingOrigin = Pick<FetchedOrigin, "fetch" | "callEndsAtMs">;

/** Maximum number of runs: a method with more reads of the origin one after another is refused. */
const MAX_RUNS = 512;

/**
 * Runs work on a thread that does not wait for a fork's origin: after each run that lacks values, fetches them
 * and repeats it. Returns synchronously if nothing is missing.
 *
 * @param fork - `null` on a chain that is no fork: the work runs once
 * @param work - must have no effect before it throws {@link OriginMissing}
 * @throws errors of `work`; {@link OriginError} when the origin does not return the values, or
 *   not before the deadline of the call
 */
export function repeatWhileMissing<T>(
  fork: FetchingOrigin | null,
  client: Client,
  work: () => T | Promise<T>,
): T | Promise<T> {
  if (fork === null) return work();
  try {
    const made = work();
    return made instanceof Promise
      ? made.catch((thrown: unknown) => repeatAfter(thrown, fork, client, work))
      : made;
  } catch (thrown) {
    return repeatAfter(thrown, fork, client, work);
  }
}

/**
 * As {@link repeatWhileMissing}, but only while `work` itself throws, not its promise: work that has begun may
 * have had effects.
 */
export function repeatBeforeEffects<T>(
  fork: FetchingOrigin | null,
  client: Client,
  work: () => T | Promise<T>,
): T | Promise<T> {
  // The list protects the promise of the work from being awaited, and so from being repeated.
  const begun = repeatWhileMissing(fork, client, () => [work()] as const);
  return begun instanceof Promise ? begun.then(([made]) => made) : begun[0];
}

async function repeatAfter<T>(
  first: unknown,
  fork: FetchingOrigin,
  client: Client,
  work: () => T | Promise<T>,
): Promise<T> {
  const endsAtMs = fork.callEndsAtMs();
  let thrown = first;
  for (let runs = 1; runs < MAX_RUNS; runs++) {
    if (!(thrown instanceof OriginMissing)) throw thrown;
    await fork.fetch(thrown.queries, client, endsAtMs);
    try {
      return await work();
    } catch (again) {
      thrown = again;
    }
  }
  if (!(thrown instanceof OriginMissing)) throw thrown;
  throw tooMany(thrown);
}

function tooMany({ queries }: OriginMissing): NotServedError {
  const last = queries.map(originQueryText).join(", ");
  return new NotServedError(
    `the request reads too much of the fork's origin; the last value: ${last}`,
  );
}
