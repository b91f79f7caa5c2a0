import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { decodeOriginClass, type OriginQuery } from "#io/origin/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
  pinnedRemote,
} from "#test/helpers/origin-chain.ts";
import { failureOf } from "#test/helpers/origin-pool.ts";
import {
  errorResponse,
  type OriginServer,
  type SentCall,
  serveChain,
} from "#test/helpers/origin-server.ts";

const FORK = 8;

let origin: OriginChain;
let chain: StoredChainReader;
let classHash: Felt;

beforeAll(async () => {
  origin = await openOriginChain(FORK + 2);
  ({ chain } = origin);
  [classHash = 0n] = must(chain.stateDiff(0)).declaredClasses.keys();
});
afterAll(() => origin[Symbol.dispose]());

/** A server of the chain; after the fork is pinned, `lie` replaces results of a method. */
async function lyingServer(method: string, lie: (call: SentCall) => unknown) {
  const server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
  const { fetch } = await pinnedRemote(server.url, FORK);
  answerWith(server, method, (call) => Response.json({ id: call.id, result: lie(call) }));
  return { server, fetch };
}

function answerWith(
  server: OriginServer,
  method: string,
  respond: (call: SentCall) => Response,
): void {
  server.instead = ({ calls }) => {
    const [call] = calls;
    return call?.method === `starknet_${method}` ? respond(call) : undefined;
  };
}

const storage = { kind: "storage", block: FORK, address: 0x1000n, key: 1n } as const;
const ALL = { addresses: [], keys: [], token: null, chunkSize: 10 } as const;

/** Result of a method of the chain. */
async function resultOf(method: string, params: unknown): Promise<Record<string, unknown>> {
  await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
  const response = await fetch(server.url, { method: "POST", body });
  return ((await response.json()) as { result: Record<string, unknown> }).result;
}

describe("OriginRemote rejects", () => {
  const PRIME = "0x800000000000011000000000000000000000000000000000000000000000001";
  test.each([[12], ["12"], ["0xg"], [PRIME], [{ value: "0x1" }], [null], [[]], [true]])(
    "%p as a storage value",
    async (value) => {
      const { server, fetch } = await lyingServer("getStorageAt", () => value);
      await using _ = server;
      const error = await failureOf(fetch(storage));
      expect([error.code, error.retryable]).toEqual(["ORIGIN_BAD_ANSWER", false]);
    },
  );

  test("a change of a variable in a block after the queried one", async () => {
    const answer = { value: "0x1", last_update_block: FORK };
    const { server, fetch } = await lyingServer("getStorageAt", () => answer);
    await using _ = server;
    const query = { ...storage, kind: "lastUpdate" } as const;
    const error = await failureOf(fetch({ ...query, block: FORK - 1 }));
    expect(error.message).toContain(`returned a change in block ${FORK} for "lastUpdate 7 `);
    expect(await fetch(query)).not.toBeNull();
  });

  test("the block of another number", async () => {
    const block = await resultOf("getBlockWithReceipts", { block_id: { block_number: 4 } });
    const { server, fetch } = await lyingServer("getBlockWithReceipts", () => block);
    await using _ = server;
    for (const number of [3, FORK]) {
      const error = await failureOf(fetch({ kind: "block", block: number }));
      expect(error.code).toBe("ORIGIN_BAD_ANSWER");
    }
  });

  test("the state changes of another block", async () => {
    const update = await resultOf("getStateUpdate", { block_id: { block_number: 4 } });
    const { server, fetch } = await lyingServer("getStateUpdate", () => update);
    await using _ = server;
    const error = await failureOf(fetch({ kind: "stateDiff", block: 3 }));
    expect(error.message).toContain("returned the state update of block");
  });

  test("another class", async () => {
    const [, second = 0n] = must(chain.stateDiff(0)).declaredClasses.keys();
    const params = { block_id: { block_number: 4 }, class_hash: hexFromFelt(second) };
    const other = await resultOf("getClass", params);
    const { server, fetch } = await lyingServer("getClass", () => other);
    await using _ = server;
    const error = await failureOf(fetch({ kind: "class", block: FORK, classHash }));
    expect(error.message).toContain("is another one");
  });

  test("code whose hash is not in the state", async () => {
    const [, second = 0n] = must(chain.stateDiff(0)).declaredClasses.keys();
    const code = await resultOf("getCompiledCasm", { class_hash: hexFromFelt(second) });
    const { server, fetch } = await lyingServer("getCompiledCasm", () => code);
    await using _ = server;
    const error = await failureOf(fetch({ kind: "class", block: FORK, classHash }));
    expect(error.code).toBe("ORIGIN_BAD_ANSWER");
    expect(error.message).toContain("does not have the hash in the state");
  });

  test("a proof of another state", async () => {
    const params = { block_id: { block_number: FORK + 2 }, class_hashes: [hexFromFelt(classHash)] };
    const proof = await resultOf("getStorageProof", params);
    const { server, fetch } = await lyingServer("getStorageProof", () => proof);
    await using _ = server;
    const query = { kind: "proof", block: FORK, paramsText: "{}" } as const;
    expect((await failureOf(fetch(query))).code).toBe("ORIGIN_BAD_ANSWER");
    const ofClass = await failureOf(fetch({ kind: "class", block: FORK, classHash }));
    expect(ofClass.code).toBe("ORIGIN_CHANGED");
  });

  test.each([
    ["above the range", { block_number: FORK + 1 }],
    ["below the range", { block_number: 0 }],
    ["of another contract", { from_address: "0x1001" }],
    ["with another key", { keys: ["0x8"] }],
    ["without a key", { keys: [] }],
    ["without a block", { block_number: undefined }],
  ])("an event %s", async (_, change) => {
    const event = {
      from_address: "0x1000",
      keys: ["0x7"],
      data: [],
      transaction_hash: "0x1",
      block_hash: "0x2",
      block_number: 4,
    };
    const filter = { fromBlock: 1, toBlock: FORK, addresses: [0x1000n], keys: [[7n]] } as const;
    const query = { kind: "events", ...ALL, ...filter } as const;
    const honest = await lyingServer("getEvents", () => ({ events: [event] }));
    await using __ = honest.server;
    expect(await honest.fetch(query)).not.toBeNull();
    const { server, fetch } = await lyingServer("getEvents", () => ({
      events: [{ ...event, ...change }],
    }));
    await using ___ = server;
    expect((await failureOf(fetch(query))).code).toBe("ORIGIN_BAD_ANSWER");
  });

  test("traces of other transactions", async () => {
    const { server, fetch } = await lyingServer("traceBlockTransactions", () => []);
    await using _ = server;
    const error = await failureOf(fetch({ kind: "traces", block: 4 }));
    expect(error.message).toContain("returned traces of other transactions");
  });

  test("a receipt of another transaction", async () => {
    const [first = 0n, second = 0n] = chain.transactionHashes(4);
    const receipt = await resultOf("getTransactionReceipt", [hexFromFelt(second || first)]);
    const { server, fetch } = await lyingServer("getTransactionReceipt", () => receipt);
    await using _ = server;
    const error = await failureOf(fetch({ kind: "locate", transactionHash: 0x123n }));
    expect(error.message).toContain("returned another receipt");
  });
});

describe("OriginRemote", () => {
  test("finds no transaction of a block of another branch", async () => {
    const [transactionHash = 0n] = chain.transactionHashes(4);
    const receipt = await resultOf("getTransactionReceipt", [hexFromFelt(transactionHash)]);
    const { server, fetch } = await lyingServer("getTransactionReceipt", () => ({
      ...receipt,
      block_hash: "0xbad",
    }));
    await using _ = server;
    expect(await fetch({ kind: "locate", transactionHash })).toBeNull();
  });

  test("requests the fork block by number where the origin refuses its hash", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch } = await pinnedRemote(server.url, FORK);
    const isByHash = ({ params }: SentCall): boolean =>
      Object.hasOwn((params["block_id"] ?? {}) as object, "block_hash");
    server.instead = ({ calls }) =>
      calls.every(isByHash) ? errorResponse(calls, 24, "Block not found") : undefined;
    expect(await fetch(storage)).toHaveLength(32);
    server.requests.length = 0;
    expect(await fetch({ ...storage, key: 2n })).toHaveLength(32);
    expect(server.requests.flatMap(({ calls }) => calls).filter(isByHash)).toEqual([]);
  });

  test("reports a reorganized origin with both hashes", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch, pinned } = await pinnedRemote(server.url, FORK);
    using other = await openOriginChain(FORK, 5);
    await using second = serveChain(other.chain, ORIGIN_CHAIN_ID, "0.10");
    server.instead = ({ calls, isBatch }) => {
      const body = JSON.stringify(isBatch ? calls : calls[0]);
      return globalThis.fetch(second.url, { method: "POST", body });
    };
    const error = await failureOf(fetch(storage));
    expect(error.code).toBe("ORIGIN_CHANGED");
    expect(error.message).toContain(hexFromFelt(pinned.header.hash));
    expect(error.message).toContain(hexFromFelt(must(other.chain.header(FORK)).hash));
  });

  test.each([
    ["storage", 24, "Block not found"],
    ["storage", -32603, "state of block 8 was pruned"],
    ["class", 24, "Block not found"],
  ] as const)(
    "names the block that a pruned origin lacks: %s, error %d",
    async (kind, code, text) => {
      await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
      const { fetch } = await pinnedRemote(server.url, FORK);
      server.instead = ({ calls }) => {
        const isState = calls.every(({ method }) => /StorageAt|getClass$/.test(method));
        return isState ? errorResponse(calls, code, text) : undefined;
      };
      const query: OriginQuery =
        kind === "class" ? { kind, block: FORK, classHash } : { ...storage, block: FORK };
      const error = await failureOf(fetch(query));
      expect([error.code, error.retryable]).toEqual(["ORIGIN_REFUSED", false]);
      expect(error.message).toContain(`lacks block ${FORK}`);
      expect(error.message).toContain(text);
    },
  );

  test("takes no error of the origin as a value", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch } = await pinnedRemote(server.url, FORK);
    for (const code of [1, 21, 28, 29, 40, -32601, -32700]) {
      server.instead = ({ calls }) => errorResponse(calls, code, "an error");
      expect((await failureOf(fetch(storage))).code).toBe("ORIGIN_REFUSED");
    }
  });

  test("prefers code that it compiled when its hash is in the state", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { casmJson } = must(chain.casm(classHash));
    const compiler = { compile: () => Promise.resolve(casmJson) };
    const { fetch } = await pinnedRemote(server.url, FORK, { compiler });
    const value = must(await fetch({ kind: "class", block: FORK, classHash }));
    const compiled = chain.stateAt(FORK).compiledClassHashOf(classHash);
    expect(decodeOriginClass(value)).toMatchObject({ casmJson, compiledClassHash: compiled });
    const methods = server.requests.flatMap(({ calls }) => calls.map(({ method }) => method));
    expect(methods).not.toContain("starknet_getCompiledCasm");
  });

  test("takes the origin's code when its own has another hash", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const [, second = 0n] = must(chain.stateDiff(0)).declaredClasses.keys();
    const other = must(chain.casm(second)).casmJson;
    const compiler = { compile: () => Promise.resolve(other) };
    const { fetch } = await pinnedRemote(server.url, FORK, { compiler });
    const value = must(await fetch({ kind: "class", block: FORK, classHash }));
    const { casmJson } = decodeOriginClass(value);
    expect(JSON.parse(must(casmJson))).toEqual(JSON.parse(must(chain.casm(classHash)).casmJson));
  });

  test("accepts code without a proof where the origin has none, and asks for no other", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch } = await pinnedRemote(server.url, FORK);
    server.instead = ({ calls }) =>
      calls.some(({ method }) => method.endsWith("getStorageProof"))
        ? errorResponse(calls, 42, "the node doesn't support storage proofs")
        : undefined;
    const value = must(await fetch({ kind: "class", block: FORK, classHash }));
    expect(must(decodeOriginClass(value).casmJson).length).toBeGreaterThan(100);
    await fetch({ kind: "class", block: FORK, classHash });
    const methods = server.requests.flatMap(({ calls }) => calls.map(({ method }) => method));
    expect(methods.filter((method) => method.endsWith("getStorageProof")).length).toBe(1);
  });
});
