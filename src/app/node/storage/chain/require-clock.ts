import { NodeError } from "#base/errors/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { type Clock, secondsBehind } from "#services/sequencer/index.ts";

/** How far a clock is behind the newest block of a chain. */
export interface ClockLag {
  readonly blockNumber: number;
  readonly seconds: number;
}

/** The same where it is more than a clock may err; `undefined`: the clock can be right. */
export function clockLag(
  chain: Pick<ChainReader, "latestNumber" | "header">,
  clock: Clock,
): ClockLag | undefined {
  const newest = chain.header(chain.latestNumber() ?? -1);
  const seconds = newest && secondsBehind(clock, newest.timestamp);
  return seconds === undefined ? undefined : { blockNumber: newest?.number ?? 0, seconds };
}

/**
 * Whoever makes blocks needs a clock that can be right: else all of them have the time of the newest one.
 *
 * @throws {NodeError} NODE_CLOCK_BEHIND when it cannot
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
    `the clock is ${seconds} s behind block ${blockNumber}, the newest one: no blocks are made; set the clock, or give --trust-clock`,
    { meta: { blockNumber, seconds } },
  );
}
