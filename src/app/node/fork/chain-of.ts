import { type ChainReader, ForkedChain } from "#engine/state/index.ts";
import {
  ChannelOriginReader,
  type OriginChannel,
  type OriginRequest,
  Patience,
  ReadAheadChannel,
  steadyPatience,
  WaitingChannel,
  type WaitPatience,
} from "#io/origin/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Time beyond the deadline of a value after which the fork thread itself is considered stuck. */
const GRACE_MS = 1_000;

/** Wait for a value, shortly after one that was in vain, in milliseconds: enough for cached values. */
const SHORT_MS = 50;

/** Time of short waits after a wait in vain, in milliseconds. */
const PAUSE_MS = 2_000;

/** Maximum time of short waits while every wait is in vain, in milliseconds. */
const MAX_PAUSE_MS = 30_000;

/** What a thread needs to read a fork's origin, through the thread that requests its values. */
export interface ForkAccess {
  readonly setup: Pick<NodeSetup, "fork">;
  /** Connects with the thread that reads the origin. Called only on a fork. */
  readonly post: () => (message: OriginRequest) => void;
  /** Flag whose non-zero value ends the work in progress. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Called while the thread waits for the origin: it is alive. */
  readonly beat: () => void;
}

/** Returns the chain as a thread reads it: the stored blocks, on a fork with the origin below them. */
export function chainOf(stored: StoredChainReader, access: ForkAccess): ChainReader {
  const patienceOf = (timeoutMs: number) => steadyPatience(timeoutMs + GRACE_MS);
  return forkedChain(stored, access, patienceOf, (channel) => channel);
}

/** As {@link chainOf}, for the executor: it reads ahead, and a lost origin holds up other work only briefly. */
export function executorChainOf(stored: StoredChainReader, access: ForkAccess): ChainReader {
  const limits = {
    shortMs: SHORT_MS,
    pauseMs: PAUSE_MS,
    maxPauseMs: MAX_PAUSE_MS,
    nowMs: () => performance.now(),
  };
  const patienceOf = (timeoutMs: number) =>
    new Patience({ ...limits, fullMs: timeoutMs + GRACE_MS });
  return forkedChain(stored, access, patienceOf, (channel) => new ReadAheadChannel(channel));
}

function forkedChain(
  stored: StoredChainReader,
  { setup: { fork }, post, cancelFlag, beat }: ForkAccess,
  patienceOf: (timeoutMs: number) => WaitPatience,
  wrap: (channel: OriginChannel) => OriginChannel,
): ChainReader {
  if (fork === null) return stored;
  const flag = new Int32Array(cancelFlag);
  const isStopped = (): boolean => Atomics.load(flag, 0) !== 0;
  const channel = waitingChannel({ post, isStopped, beat }, patienceOf(fork.timeoutMs));
  return new ForkedChain(stored, new ChannelOriginReader(wrap(channel), fork.forkBlock));
}

/** Access of a thread that waits for the origin. */
export interface WaitAccess extends Pick<ForkAccess, "post" | "beat"> {
  /** Whether the work in progress must end. */
  readonly isStopped: () => boolean;
}

/** Creates the channel of a query thread that waits for the origin. @param timeoutMs - deadline of one value */
export function queryChannel(access: WaitAccess, timeoutMs: number): OriginChannel {
  return waitingChannel(access, steadyPatience(timeoutMs + GRACE_MS));
}

/** Creates the channel of a thread that waits for the origin, with a patience. */
export function waitingChannel(
  { post, isStopped, beat }: WaitAccess,
  patience: WaitPatience,
): WaitingChannel {
  return new WaitingChannel({
    post: post(),
    patience,
    nowMs: () => performance.now(),
    isStopped,
    beat,
  });
}
