import { NodeError } from "#base/errors/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { type Clock, secondsBehind } from "#services/sequencer/index.ts";

/** Lag of a clock behind the newest block of a chain. */
export interface ClockLag {
  readonly blockNumber: number;
  readonly seconds: number;
}

/** Returns the clock's lag if it exceeds the tolerated error; `undefined` if the clock can be right. */
export function clockLag(
  chain: Pick<ChainReader, "latestNumber" | "header">,
  clock: Clock,
): ClockLag | undefined {
  const newest = chain.header(chain.latestNumber() ?? -1);
  const seconds = newest && secondsBehind(clock, newest.timestamp);
  return seconds === undefined ? undefined : { blockNumber: newest?.number ?? 0, seconds };
}

/**
 * Requires a plausible clock from a block producer: with a clock behind, all blocks get the newest block's
 * time.
 *
 * @throws {NodeError} NODE_CLOCK_BEHIND when the clock is too far behind the newest block
 */
export function requireClock(
  chain: Pick<ChainReader, "latestNumber" | "header">,
  clock: Clock,
): void {
  const lag = clockLag(chain, clock);
  if (lag === undefined) return;
  const { blockNumber, seconds } = lag;
  throw new NodeError(
    "NODE_CLOCK_BEHIND",
    `the clock is ${seconds} s behind block ${blockNumber}, the newest one: no blocks are produced; set the clock, or give --trust-clock`,
    { meta: { blockNumber, seconds } },
  );
}
