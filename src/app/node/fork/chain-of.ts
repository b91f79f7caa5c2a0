import { type ChainReader, ForkedChain } from "#engine/state/index.ts";
import { ChannelOriginReader, type OriginRequest, WaitingChannel } from "#io/origin/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Access of a thread to the thread that reads the origin. */
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
  const { fork } = access.setup;
  if (fork === null) return stored;
  const flag = new Int32Array(access.cancelFlag);
  const channel = new WaitingChannel({
    post: access.post(),
    timeoutMs: fork.timeoutMs,
    nowMs: () => performance.now(),
    isStopped: () => Atomics.load(flag, 0) !== 0,
    beat: access.beat,
  });
  return new ForkedChain(stored, new ChannelOriginReader(channel, fork.forkBlock));
}
