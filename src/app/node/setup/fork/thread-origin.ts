import type { ForkOrigin } from "#api/rpc/index.ts";
import type { OriginReader } from "#engine/state/index.ts";
import { ChannelOriginReader, type OriginChannel } from "#io/origin/index.ts";

/** Origin of a forked chain, as a thread reads it. */
export interface ThreadOrigin {
  readonly reader: OriginReader;
  /** The origin for RPC methods. */
  readonly access: ForkOrigin;
}

/** Creates the readers of an origin over a channel. */
export function threadOrigin(channel: OriginChannel, forkBlock: number): ThreadOrigin {
  const reader = new ChannelOriginReader(channel, forkBlock);
  return {
    reader,
    access: {
      forkBlock,
      ask: (query) => channel.ask(query),
      require: (queries) => channel.require(queries),
      l1AcceptedNumber: () => reader.l1AcceptedNumber(),
    },
  };
}
