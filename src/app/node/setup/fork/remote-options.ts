import { type Felt, SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { ClassCompiler, OriginObserver, OriginRemoteOptions } from "#io/origin/index.ts";
import { shippedCasm } from "../shipped-classes.ts";
import type { ForkOptions } from "../fork.ts";

/** Maximum calls of one HTTP request; URLs that accept fewer get fewer. */
const MAX_BATCH = 50;

/** Maximum size of a response in bytes: a block of the largest networks, or a class. */
const MAX_ANSWER_BYTES = 64 << 20;

/** Access to an origin: addresses and limits. */
export type OriginAccess = Pick<ForkOptions, "urls" | "headers" | "timeoutMs" | "concurrency">;

/** {@link ClassCompiler} that compiles nothing: the code is the program's or, of other classes, the origin's. */
export const SHIPPED_CODE: ClassCompiler = {
  compile: (classHash: Felt) => Promise.resolve(shippedCasm(classHash)),
};

/** Returns the settings of a connection to an origin. */
export function remoteOptions(
  { urls, headers, timeoutMs, concurrency }: OriginAccess,
  parts: {
    readonly compiler: ClassCompiler;
    readonly observer: OriginObserver;
    /** Ends all requests. */
    readonly signal: AbortSignal;
  },
): OriginRemoteOptions {
  return {
    urls,
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    timeoutMs,
    concurrency,
    maxBatch: MAX_BATCH,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    timer: SYSTEM_TIMER,
    unixMs: Date.now,
    ...parts,
  };
}
