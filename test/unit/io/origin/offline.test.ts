import { expect, test } from "bun:test";
import { SYSTEM_TIMER, shortStringFromFelt } from "#base/primitives/index.ts";
import { createOriginSource, ForkCache, OriginRemote, type OriginQuery } from "#io/origin/index.ts";
import { openForkStore, readStoredFork } from "#io/storage/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
} from "#test/helpers/origin-chain.ts";
import { countingObserver, remoteOptions, serveChain } from "#test/helpers/origin-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const FORK = 6;
const LIMITS = { flushMs: 50, flushCount: 100, retryMs: 1000, memoryBytes: 1 << 24 };

/** Queries of each kind that the chain can answer. */
function queriesOf({ chain }: OriginChain): readonly OriginQuery[] {
  const [classHash = 0n] = must(chain.stateDiff(0)).declaredClasses.keys();
  const [transactionHash = 0n] = chain.transactionHashes(4);
  const contract = { block: FORK, address: 0x1000n };
  const all = { addresses: [], keys: [], token: null, chunkSize: 10 };
  return [
    { kind: "storage", ...contract, key: 1n },
    { kind: "nonce", ...contract },
    { kind: "classHash", ...contract },
    { kind: "class", block: FORK, classHash },
    { kind: "class", block: FORK, classHash: 0xdeadn },
    { kind: "block", block: 3 },
    { kind: "stateDiff", block: FORK },
    { kind: "numberByHash", blockHash: must(chain.header(2)).hash },
    { kind: "numberByHash", blockHash: 0xdeadn },
    { kind: "locate", transactionHash },
    { kind: "locate", transactionHash: 0xdeadn },
    { kind: "events", fromBlock: 0, toBlock: FORK, ...all },
    { kind: "proof", block: FORK, paramsText: "{}" },
  ];
}

test("a second run with the same file answers the same queries without the origin", async () => {
  using folder = temporaryFolder();
  using origin = await openOriginChain(FORK + 2);
  const path = folder.file("fork.db");
  const queries = queriesOf(origin);
  const { observer } = countingObserver();

  const server = serveChain(origin.chain, ORIGIN_CHAIN_ID, "0.10");
  const remote = new OriginRemote(remoteOptions([server.url]));
  const { header, ancestors, chainId } = await remote.pin(FORK);
  const fork = { chainId: shortStringFromFelt(chainId), header, ancestors };
  const deps = { ...LIMITS, timer: SYSTEM_TIMER, observer };
  const cache = new ForkCache({
    ...deps,
    store: await openForkStore({ path, fork, maxLimitedBytes: 1 << 20 }),
  });
  const source = createOriginSource({ remote, cache, timer: SYSTEM_TIMER, observer });
  const values = await Promise.all(queries.map((query) => source.answer(query)));
  cache.close();
  await server[Symbol.asyncDispose]();

  const stored = must(readStoredFork(path));
  const later = new OriginRemote(remoteOptions([server.url], { timeoutMs: 500 }));
  expect(await later.repin({ ...stored.header, chainId: ORIGIN_CHAIN_ID })).toBe(false);
  const counting = countingObserver();
  const store = await openForkStore({
    path,
    fork: stored,
    maxLimitedBytes: 1 << 20,
  });
  const reopened = new ForkCache({ ...deps, store });
  const offline = createOriginSource({
    remote: later,
    cache: reopened,
    timer: SYSTEM_TIMER,
    observer: counting.observer,
  });
  const again = await Promise.all(queries.map((query) => offline.answer(query)));
  expect(again.map((value) => value?.toHex())).toEqual(values.map((value) => value?.toHex()));
  expect(counting.counts).toMatchObject({ fromCache: queries.length, fromOrigin: 0 });
  reopened.close();
});
