import { OriginError } from "#base/errors/index.ts";
import {
  type Felt,
  feltFromShortString,
  shortStringFromFelt,
  SYSTEM_TIMER,
} from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import {
  createOriginSource,
  OriginRemote,
  type OriginSource,
  OriginTally,
  type PinnedOrigin,
} from "#io/origin/index.ts";
import type { ForkOptions, ForkPin } from "../fork.ts";
import { findOriginal, type OriginalBlock } from "./find-original.ts";
import { SHIPPED_CODE, remoteOptions } from "./remote-options.ts";

/** Origin of a new fork, while the node starts. */
export interface StartOrigin extends OriginSource {
  readonly pin: ForkPin;
  /** Block after the fork block up to the requested transaction; `null` without one. */
  readonly original: OriginalBlock | null;
}

/**
 * Pins the fork block of a new chain: the requested one, or the one before that of the requested transaction.
 *
 * @param signal - ends all requests
 * @throws {OriginError} when the URLs do not respond, disagree, or cannot be forked at the block
 * @throws {ConfigError} when the requested transaction cannot be forked
 */
export async function pinOrigin(
  options: ForkOptions,
  log: Logger,
  signal: AbortSignal,
): Promise<StartOrigin> {
  const { transaction } = options;
  if (transaction === null) {
    return { ...(await pinAt(blockOf(options.block), options, log, signal)), original: null };
  }
  const newest = await pinAt("latest", options, log, signal);
  const original = await findOriginal(newest, transaction, newest.pin.header.number, log);
  const before = await pinAt(original.header.number - 1, options, log, signal);
  return { ...before, original };
}

async function pinAt(
  block: number | Felt | "latest",
  options: ForkOptions,
  log: Logger,
  signal: AbortSignal,
): Promise<Omit<StartOrigin, "original">> {
  const remote = openRemote(options, signal);
  const pinned = await remote.pin(block);
  warnOfUnverified(pinned, log);
  const values = new Map<string, Uint8Array | null>();
  const source = createOriginSource({
    remote,
    cache: {
      get: (key) => values.get(key),
      put: (key, value) => void values.set(key, value),
      keep: () => undefined,
    },
    timer: SYSTEM_TIMER,
    observer: tally(),
  });
  const { chainId, header, ancestors } = pinned;
  return {
    pin: { chainId: shortStringFromFelt(chainId), header, ancestors },
    answer: (query) => source.answer(query),
  };
}

/**
 * Checks at a later start that the origin is still the one that was forked.
 *
 * @returns a reason when it does not respond: the chain continues with the values that it has
 * @throws {OriginError} ORIGIN_CHANGED when a URL has another chain or another fork block
 */
export async function checkOrigin(
  options: ForkOptions,
  { chainId, header }: ForkPin,
  signal: AbortSignal,
): Promise<string | undefined> {
  const remote = openRemote(options, signal);
  try {
    const isUp = await remote.repin({ ...header, chainId: feltFromShortString(chainId) });
    return isUp ? undefined : "it does not respond";
  } catch (error) {
    if (error instanceof OriginError && error.retryable) return error.message;
    throw error;
  }
}

function openRemote(options: ForkOptions, signal: AbortSignal): OriginRemote {
  return new OriginRemote(
    remoteOptions(options, { compiler: SHIPPED_CODE, observer: tally(), signal }),
  );
}

/** Counts of the start are not reported. */
function tally(): OriginTally {
  return new OriginTally({ kind: "up", sinceUnixMs: Date.now() });
}

function blockOf(block: ForkOptions["block"]): number | Felt | "latest" {
  if (block === null) return "latest";
  return block.kind === "number" ? block.number : block.hash;
}

function warnOfUnverified({ unverified }: PinnedOrigin, log: Logger): void {
  if (unverified.length === 0) return;
  log.warn(
    `the hashes of blocks ${unverified.join(", ")} of the fork's origin follow no rule that this program has: they are taken as the origin returned them`,
  );
}
