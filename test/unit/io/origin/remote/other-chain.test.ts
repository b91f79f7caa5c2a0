import { expect, test } from "bun:test";
import type { OriginQuery } from "#io/origin/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  pinnedRemote,
} from "#test/helpers/origin-chain.ts";
import { failureOf } from "#test/helpers/origin-pool.ts";
import { serveChain } from "#test/helpers/origin-server.ts";

const FORK = 8;
const EVENTS = { addresses: [], keys: [], token: null, chunkSize: 10 } as const;

test("OriginRemote returns nothing of another chain that a URL leads to", async () => {
  using origin = await openOriginChain(FORK + 2);
  const { chain } = origin;
  await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
  const { fetch } = await pinnedRemote(server.url, FORK);
  using other = await openOriginChain(FORK, 5);
  await using second = serveChain(other.chain, ORIGIN_CHAIN_ID, "0.10");
  server.instead = ({ calls, isBatch }) => {
    const body = JSON.stringify(isBatch ? calls : calls[0]);
    return globalThis.fetch(second.url, { method: "POST", body });
  };
  const [transactionHash = 0n] = chain.transactionHashes(4);
  const queries: readonly OriginQuery[] = [
    { kind: "storage", block: FORK - 1, address: 0x1000n, key: 1n },
    { kind: "block", block: 4 },
    { kind: "stateDiff", block: 4 },
    { kind: "locate", transactionHash },
    { kind: "numberByHash", blockHash: must(chain.header(4)).hash },
    { kind: "messages", l1TransactionHash: 1n },
    { kind: "events", fromBlock: 3, toBlock: 4, ...EVENTS },
  ];
  for (const query of queries) {
    const { code } = await failureOf(fetch(query));
    expect([query.kind, code]).toEqual([query.kind, "ORIGIN_CHANGED"]);
  }
  server.instead = () => undefined;
  expect(await fetch({ kind: "locate", transactionHash })).not.toBeNull();
});
