import { OriginError } from "#base/errors/index.ts";
import type { Client, QueryPool } from "#api/rpc/index.ts";
import {
  ForkedChain,
  type LocalChain,
  type OriginBlock,
  type WrittenState,
} from "#engine/state/index.ts";
import {
  ChannelOriginReader,
  decodeOriginBlock,
  encodeOriginBlock,
  KnownValues,
  type OriginQuery,
  originQueryText,
} from "#io/origin/index.ts";
import { createFakeChain, type FakeBlock, fakeBlock } from "./fake-chain.ts";
import { executeQuery } from "./execute-query.ts";
import { tableOf } from "./rpc.ts";
import { sampleContext } from "./sample-chain.ts";
import { dispatcherOf, SILENT, type FullContext } from "./serving.ts";

/** Number of the fork block of {@link forkWorld}. */
export const FORK = 3;

const NOTHING_WRITTEN: WrittenState = {
  storageAt: () => undefined,
  nonceAt: () => undefined,
  classHashAt: () => undefined,
  compiledClassHashOf: () => undefined,
  executableClass: () => undefined,
};

/** What a {@link forkWorld} contains. */
export interface ForkWorldParts {
  /** Values of the origin by query text; others are refused. */
  readonly values?: ReadonlyMap<string, Uint8Array | null>;
  /** Blocks above the fork block, in order. */
  readonly local?: readonly Parameters<typeof fakeBlock>[0][];
  readonly l1Accepted?: number;
  readonly context?: Partial<FullContext>;
}

/** A forked chain on a thread that does not wait, with an origin that the test fills. */
export function forkWorld({ values = new Map(), local = [], l1Accepted, context }: ForkWorldParts) {
  const below = Array.from({ length: FORK + 1 }, (_, number) => fakeBlock({ header: { number } }));
  const blocks: FakeBlock[] = [...below, ...local.map((block) => fakeBlock(block))];
  const forkBlock = values.get(`block ${FORK}`);
  const { header } =
    forkBlock === undefined || forkBlock === null
      ? fakeBlock({ header: { number: FORK } })
      : decodeOriginBlock(forkBlock);
  const stored = createFakeChain(blocks, l1Accepted === undefined ? {} : { l1Accepted });
  const chain: LocalChain = {
    ...stored,
    numberByHash: (hash) => above(stored.numberByHash(hash)),
    locate(hash) {
      const location = stored.locate(hash);
      return location !== undefined && location.blockNumber > FORK ? location : undefined;
    },
    ancestorHeader: (number) => (number === FORK ? header : undefined),
    writtenAt: () => NOTHING_WRITTEN,
  };
  const known = new KnownValues({ maxBytes: 1 << 20, l1AcceptedMs: 1e9, nowMs: () => 0 });
  const reader = new ChannelOriginReader(known, FORK);
  const asked: string[] = [];
  const fetch = async (queries: readonly OriginQuery[], _client: Client): Promise<void> => {
    await Promise.resolve();
    for (const query of queries) {
      const text = originQueryText(query);
      asked.push(text);
      const value = values.get(text);
      if (value === undefined) {
        throw new OriginError("ORIGIN_UNAVAILABLE", `http://origin:1 did not return ${text}`, true);
      }
      known.give([{ query, value }]);
    }
  };
  const fork = {
    forkBlock: FORK,
    ask: (query: OriginQuery) => known.ask(query),
    require: (queries: readonly OriginQuery[]) => known.require(queries),
    l1AcceptedNumber: () => reader.l1AcceptedNumber(),
    fetch,
    callEndsAtMs: () => 0,
  };
  const whole = sampleContext({
    chain: new ForkedChain(chain, reader),
    fork,
    pending: () => undefined,
    unaccepted: () => [],
    ...context,
  });
  const queryPool: QueryPool = {
    async run(version, method, paramsText) {
      for (;;) {
        let missing: readonly OriginQuery[] = [];
        const observer = {
          ...SILENT,
          missing: (queries: readonly OriginQuery[]) => void (missing = queries),
        };
        const table = tableOf(version);
        const bytes = await executeQuery(table, whole, method, paramsText, observer);
        if (missing.length === 0) return bytes;
        await fetch(missing, { address: "" });
      }
    },
  };
  const dispatcher = dispatcherOf(whole, { queryPool });
  return { context: whole, known, asked, dispatcher };
}

/** Encoded value of a block of the origin. */
export function originBlock(block: Parameters<typeof fakeBlock>[0]): Uint8Array {
  const { header, transactions, receipts }: OriginBlock = fakeBlock(block);
  return encodeOriginBlock({ header, transactions, receipts });
}

function above(number: number | undefined): number | undefined {
  return number !== undefined && number > FORK ? number : undefined;
}
