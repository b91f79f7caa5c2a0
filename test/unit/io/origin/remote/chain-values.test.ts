import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { feltFromBytes } from "#base/primitives/index.ts";
import {
  decodeLocation,
  decodeNumber,
  decodeOriginBlock,
  decodeOriginClass,
} from "#io/origin/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { decodeContractClass, decodeStateDiff } from "#protocol/chain/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
  pinnedRemote,
} from "#test/helpers/origin-chain.ts";
import { serveChain } from "#test/helpers/origin-server.ts";

const FORK = 13;

let origin: OriginChain;
let chain: StoredChainReader;

beforeAll(async () => {
  origin = await openOriginChain(FORK + 1);
  ({ chain } = origin);
});
afterAll(() => origin[Symbol.dispose]());

describe.each(["0.8", "0.9", "0.10"])("OriginRemote with JSON-RPC %s", (version) => {
  test("pins a block with its ten ancestors", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { pinned } = await pinnedRemote(server.url, FORK);
    expect(pinned.chainId).toBe(ORIGIN_CHAIN_ID);
    expect(pinned.header).toEqual(must(chain.header(FORK)));
    const numbers = Array.from({ length: 10 }, (_, index) => FORK - 10 + index);
    expect(pinned.ancestors).toEqual(numbers.map((number) => must(chain.header(number))));
    expect(pinned.unverified).toEqual([]);
    expect(pinned.specs.map(({ text }) => text.startsWith(`${version}.`))).toEqual([true]);
  });

  test("returns blocks as the origin stores them", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    for (const number of [0, 5, FORK]) {
      const block = decodeOriginBlock(must(await fetch({ kind: "block", block: number })));
      expect(block.header).toEqual(must(chain.header(number)));
      expect(block.transactions.map(({ hash }) => hash)).toEqual(chain.transactionHashes(number));
      const known = chain.receipts(number).map(({ events, messages, status, actualFee, gas }) => ({
        ...{ events, messages, status, actualFee, gas },
      }));
      expect(block.receipts).toMatchObject(known);
    }
  });

  test("returns state values at the fork block and below", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    for (const block of [FORK, FORK - 4]) {
      const state = chain.stateAt(block);
      const diff = must(chain.stateDiff(block - 1));
      const reads = [...diff.storageDiffs].flatMap(([address, cells]) =>
        [...cells.keys()].map((key) => ({ kind: "storage", block, address, key }) as const),
      );
      expect(reads.length).toBeGreaterThan(0);
      const values = await Promise.all(reads.map((query) => fetch(query)));
      expect(values.map((value) => feltFromBytes(must(value)))).toEqual(
        reads.map(({ address, key }) => state.storageAt(address, key)),
      );
      for (const [address] of must(chain.stateDiff(1)).deployedContracts) {
        const nonce = await fetch({ kind: "nonce", block, address });
        expect(feltFromBytes(must(nonce))).toBe(state.nonceAt(address));
        const classHash = await fetch({ kind: "classHash", block, address });
        expect(feltFromBytes(must(classHash))).toBe(state.classHashAt(address));
      }
    }
  });

  test("returns 0 for values of a contract that does not exist", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    const at = { block: FORK, address: 0xdeadn } as const;
    const queries = [
      { kind: "storage", key: 1n, ...at },
      { kind: "nonce", ...at },
      { kind: "classHash", ...at },
    ] as const;
    const values = await Promise.all(queries.map((query) => fetch(query)));
    expect(values.map((value) => feltFromBytes(must(value)))).toEqual([0n, 0n, 0n]);
  });

  test("returns state changes, without migrations before 0.10", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    const known = must(chain.stateDiff(2));
    expect(known.migratedCompiledClasses.size).toBe(1);
    const diff = decodeStateDiff(must(await fetch({ kind: "stateDiff", block: 2 })));
    const migratedCompiledClasses =
      version === "0.10" ? known.migratedCompiledClasses : new Map<bigint, bigint>();
    expect(diff).toEqual({ ...known, migratedCompiledClasses });
  });

  test("returns a class with the code that the state names", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    const hashes = [...must(chain.stateDiff(0)).declaredClasses.keys()];
    for (const classHash of hashes) {
      const value = must(await fetch({ kind: "class", block: FORK, classHash }));
      const { contractClass, casmJson, compiledClassHash } = decodeOriginClass(value);
      const known = must(chain.declaredClass(classHash)).contractClass;
      expect(decodeContractClass(contractClass)).toEqual(known);
      expect(JSON.parse(must(casmJson))).toEqual(JSON.parse(must(chain.casm(classHash)).casmJson));
      expect(compiledClassHash).toBe(chain.stateAt(FORK).compiledClassHashOf(classHash));
    }
    expect(hashes.length).toBeGreaterThan(1);
    expect(await fetch({ kind: "class", block: FORK, classHash: 0xdeadn })).toBeNull();
  });

  test("finds blocks and transactions by hash up to the fork block alone", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    const hashOf = (number: number) => must(chain.header(number)).hash;
    const numberOf = async (blockHash: bigint) => fetch({ kind: "numberByHash", blockHash });
    expect(decodeNumber(must(await numberOf(hashOf(FORK))))).toBe(FORK);
    expect(decodeNumber(must(await numberOf(hashOf(3))))).toBe(3);
    expect(await numberOf(hashOf(FORK + 1))).toBeNull();
    expect(await numberOf(0xdeadn)).toBeNull();

    const locate = async (transactionHash: bigint) => fetch({ kind: "locate", transactionHash });
    const [newer = 0n] = chain.transactionHashes(FORK + 1);
    const own = chain.transactionHashes(4);
    const found = decodeLocation(must(await locate(must(own.at(-1)))));
    expect(found).toEqual({ blockNumber: 4, index: own.length - 1 });
    expect(await locate(newer)).toBeNull();
    expect(await locate(0xdeadn)).toBeNull();
    expect(await fetch({ kind: "trace", transactionHash: newer })).toBeNull();
  });

  test("returns a page of events as the origin does", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    const all = { fromBlock: 0, toBlock: FORK, addresses: [], keys: [], chunkSize: 3 } as const;
    const value = must(await fetch({ kind: "events", ...all, token: null }));
    const page = JSON.parse(new TextDecoder().decode(value)) as {
      readonly events: readonly unknown[];
      readonly continuation_token: string;
    };
    expect(page.events.length).toBe(3);
    const next = { kind: "events", ...all, token: page.continuation_token } as const;
    expect(new TextDecoder().decode(must(await fetch(next)))).toContain('"events":[{');
  });
});

test("the fork block is read by its hash, and confirmed after reads by number", async () => {
  await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
  const { fetch, pinned } = await pinnedRemote(server.url, FORK);
  server.requests.length = 0;
  await fetch({ kind: "nonce", block: FORK, address: 0x1000n });
  await fetch({ kind: "nonce", block: FORK - 1, address: 0x1000n });
  const ids = server.requests.flatMap(({ calls }) => calls.map(({ params }) => params["block_id"]));
  const fork = { block_hash: `0x${pinned.header.hash.toString(16)}` };
  expect(ids).toEqual([fork, { block_number: FORK - 1 }, fork]);
});
