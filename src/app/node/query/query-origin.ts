import { BoundedChannel, type FetchedValue, ReadAheadChannel } from "#io/origin/index.ts";
import { queryChannel, type WaitAccess } from "../fork/chain-of.ts";
import type { ForkSetup } from "../setup/fork.ts";
import { knownOrigin, knownValues } from "../setup/fork/known-origin.ts";
import { type ThreadOrigin, threadOrigin } from "../setup/fork/thread-origin.ts";

/** On a fork, index of the query thread that waits for the origin. */
export const LANE_INDEX = 0;

/** Time that one run waits for values, in milliseconds: a few responses of a public network's node. */
const WAIT_MS = 150;

/** Time of shorter waits after one in vain, in milliseconds. */
const PAUSE_MS = 2_000;

/** Dependencies of {@link openQueryOrigin}. */
export interface QueryOriginDeps extends WaitAccess {
  readonly fork: ForkSetup | null;
  /** Index of the query thread. */
  readonly index: number;
}

/** Origin of a fork on a query thread. */
export interface QueryOrigin extends ThreadOrigin {
  /** Starts a job with values that were fetched for it. */
  begin(fetched: readonly FetchedValue[]): void;
}

/**
 * Opens the origin of a fork on a query thread. One thread waits for values, a short time in each job; the others
 * never do. A job that lacks a value is run again once it is fetched, so that a slow origin delays nobody else.
 * `null` if there is no fork.
 */
export function openQueryOrigin({ fork, index, ...access }: QueryOriginDeps): QueryOrigin | null {
  if (fork === null) return null;
  if (index === LANE_INDEX) return laneOrigin(fork, access);
  const { known, ...origin } = knownOrigin(fork.forkBlock);
  return { ...origin, begin: (fetched) => known.give(fetched) };
}

function laneOrigin(fork: ForkSetup, access: WaitAccess): QueryOrigin {
  const known = knownValues();
  const channel = new BoundedChannel({
    known,
    channelOf: (isStopped) => queryChannel({ ...access, isStopped }, fork.timeoutMs),
    isStopped: access.isStopped,
    nowMs: () => performance.now(),
    waitMs: WAIT_MS,
    pauseMs: PAUSE_MS,
  });
  return {
    ...threadOrigin(new ReadAheadChannel(channel), fork.forkBlock),
    begin(fetched) {
      channel.begin();
      known.give(fetched);
    },
  };
}
