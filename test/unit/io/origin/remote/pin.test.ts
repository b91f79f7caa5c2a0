import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { decodeOriginBlock, type ForkPoint, OriginRemote } from "#io/origin/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
} from "#test/helpers/origin-chain.ts";
import { failureOf } from "#test/helpers/origin-pool.ts";
import {
  countingObserver,
  type OriginServer,
  remoteOptions,
  type SentCall,
  serveChain,
} from "#test/helpers/origin-server.ts";

const BLOCKS = 14;

let origin: OriginChain;
let chain: StoredChainReader;
let other: OriginChain;

beforeAll(async () => {
  origin = await openOriginChain(BLOCKS);
  ({ chain } = origin);
  other = await openOriginChain(BLOCKS + 1, 2);
});
afterAll(() => {
  origin[Symbol.dispose]();
  other[Symbol.dispose]();
});

const remoteOf = (...servers: readonly OriginServer[]): OriginRemote =>
  new OriginRemote(remoteOptions(servers.map(({ url }) => url)));

const serve = (version = "0.10"): OriginServer => serveChain(chain, ORIGIN_CHAIN_ID, version);

const hashOf = (number: number): bigint => must(chain.header(number)).hash;

/** Changes the results of a method. */
async function changeResults(
  server: OriginServer,
  method: string,
  change: (result: Record<string, unknown>, call: SentCall) => unknown,
): Promise<void> {
  const direct = serve();
  const known = async (call: SentCall): Promise<Record<string, unknown>> => {
    const response = await fetch(direct.url, { method: "POST", body: JSON.stringify(call) });
    return (await response.json()) as Record<string, unknown>;
  };
  server.instead = async ({ calls, isBatch }) => {
    const answers = await Promise.all(
      calls.map(async (call) => {
        const answer = await known(call);
        const result = answer["result"] as Record<string, unknown>;
        const isChanged = call.method === `starknet_${method}` && result !== undefined;
        return isChanged ? { ...answer, result: change(result, call) } : answer;
      }),
    );
    return Response.json(isBatch ? answers : answers[0]);
  };
}

describe("OriginRemote.pin", () => {
  test("takes a number, a hash or the newest block", async () => {
    await using server = serve();
    for (const block of [BLOCKS, hashOf(BLOCKS), "latest"] as const) {
      const pinned = await remoteOf(server).pin(block);
      expect(pinned.header.number).toBe(BLOCKS);
      expect(decodeOriginBlock(pinned.block).header).toEqual(pinned.header);
    }
  });

  test("returns as many ancestors as exist", async () => {
    await using server = serve();
    expect((await remoteOf(server).pin(2)).ancestors.map(({ number }) => number)).toEqual([0, 1]);
    expect((await remoteOf(server).pin(0)).ancestors).toEqual([]);
  });

  test("pins the newest block that all URLs have", async () => {
    await using server = serve();
    await using behind = serve("0.8");
    await changeResults(behind, "blockNumber", () => 11);
    expect((await remoteOf(server, behind).pin("latest")).header.number).toBe(11);
  });

  test("refuses URLs with another hash of the block", async () => {
    await using server = serve();
    await using second = serveChain(other.chain, ORIGIN_CHAIN_ID, "0.9");
    const error = await failureOf(remoteOf(server, second).pin(5));
    expect(error.code).toBe("ORIGIN_UNSUPPORTED");
    expect(error.message).toContain(hexFromFelt(hashOf(5)));
    expect(error.message).toContain(hexFromFelt(must(other.chain.header(5)).hash));
  });

  test("refuses URLs of another chain", async () => {
    await using server = serve();
    await using second = serveChain(chain, feltFromShortString("SN_OTHER"), "0.10");
    const error = await failureOf(remoteOf(server, second).pin(5));
    expect(error.code).toBe("ORIGIN_UNSUPPORTED");
    expect(error.message).toContain("SN_OTHER");
  });

  test("refuses when one URL does not respond", async () => {
    await using server = serve();
    const remote = new OriginRemote(remoteOptions([server.url, "http://127.0.0.1:1"]));
    expect((await failureOf(remote.pin(5))).message).toContain("http://127.0.0.1:1");
  });

  test.each(["0.7.1", "0.11.0"])("refuses a URL with JSON-RPC %s", async (version) => {
    await using server = serve();
    await changeResults(server, "specVersion", () => version);
    const error = await failureOf(remoteOf(server).pin(5));
    expect(error.code).toBe("ORIGIN_UNSUPPORTED");
    expect(error.message).toContain(`implements JSON-RPC "${version}"`);
  });

  test("refuses a block that the origin does not have", async () => {
    await using server = serve();
    const newer = await failureOf(remoteOf(server).pin(BLOCKS + 1));
    expect([newer.code, newer.message]).toEqual([
      "ORIGIN_REFUSED",
      expect.stringContaining(`does not have the fork block ${BLOCKS + 1}`),
    ]);
    const unknown = await failureOf(remoteOf(server).pin(0xdeadn));
    expect([unknown.code, unknown.message]).toEqual([
      "ORIGIN_REFUSED",
      expect.stringContaining("does not have the fork block 0xdead"),
    ]);
  });

  test("refuses a protocol version before 0.13.0", async () => {
    await using server = serve();
    await changeResults(server, "getBlockWithReceipts", (block) => ({
      ...block,
      starknet_version: "0.12.3",
    }));
    const error = await failureOf(remoteOf(server).pin(5));
    expect(error.code).toBe("ORIGIN_UNSUPPORTED");
    expect(error.message).toContain("has protocol version 0.12.3; a fork needs 0.13.0 or newer");
  });

  test("rejects ancestors that are not linked", async () => {
    await using server = serve();
    await changeResults(server, "getBlockWithTxHashes", (block) =>
      block["block_number"] === 7 ? { ...block, block_hash: "0xbad" } : block,
    );
    const error = await failureOf(remoteOf(server).pin(12));
    expect(error.code).toBe("ORIGIN_BAD_ANSWER");
    expect(error.message).toContain("block 8 names the parent");
  });

  test("rejects another block than the requested one", async () => {
    await using server = serve();
    await changeResults(server, "getBlockWithReceipts", (block) => ({ ...block, block_number: 4 }));
    const error = await failureOf(remoteOf(server).pin(5));
    expect(error.message).toContain("returned block 4 in place of block 5");
  });

  test("rejects a block whose transactions do not match its header", async () => {
    await using server = serve();
    await changeResults(server, "getBlockWithReceipts", (block) => ({
      ...block,
      transactions: (block["transactions"] as unknown[]).slice(1),
    }));
    const error = await failureOf(remoteOf(server).pin(5));
    expect(error.code).toBe("ORIGIN_BAD_ANSWER");
    expect(error.message).toContain("transactionCount of block 5");
  });

  test("names blocks whose hash follows no known rule", async () => {
    await using server = serve();
    await changeResults(server, "getBlockWithReceipts", (block) => ({ ...block, new_root: "0x5" }));
    expect((await remoteOf(server).pin(5)).unverified).toEqual([5]);
  });
});

describe("OriginRemote.repin", () => {
  const forkAt = (number: number): ForkPoint => ({
    ...must(chain.header(number)),
    chainId: ORIGIN_CHAIN_ID,
  });
  const nonce = { kind: "nonce", block: 5, address: 0x1000n } as const;

  test("continues with the fork block of an earlier start", async () => {
    await using server = serve();
    const remote = remoteOf(server);
    expect(await remote.repin(forkAt(5))).toBe(true);
    expect(await remote.fetch(nonce, remote.task("nonce"))).toHaveLength(32);
  });

  test("refuses another hash with both hashes", async () => {
    await using server = serveChain(other.chain, ORIGIN_CHAIN_ID, "0.10");
    const error = await failureOf(remoteOf(server).repin(forkAt(5)));
    expect(error.code).toBe("ORIGIN_CHANGED");
    expect(error.message).toContain(hexFromFelt(hashOf(5)));
    expect(error.message).toContain(hexFromFelt(must(other.chain.header(5)).hash));
  });

  test("refuses another chain", async () => {
    await using server = serveChain(chain, feltFromShortString("SN_OTHER"), "0.10");
    expect((await failureOf(remoteOf(server).repin(forkAt(5)))).code).toBe("ORIGIN_CHANGED");
  });

  test("continues without an origin that does not respond, and uses it when it does", async () => {
    let port: number;
    {
      await using server = serve();
      port = Number(new URL(server.url).port);
    }
    const { observer, counts } = countingObserver();
    const url = `http://127.0.0.1:${port}/rpc`;
    const remote = new OriginRemote(remoteOptions([url], { observer, timeoutMs: 400 }));
    expect(await remote.repin(forkAt(5))).toBe(false);
    const error = await failureOf(remote.fetch(nonce, remote.task("nonce")));
    expect([error.code, error.retryable]).toEqual(["ORIGIN_UNAVAILABLE", true]);
    expect(counts.states).toEqual(["down"]);

    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10", port);
    expect(server.url).toBe(url);
    await Bun.sleep(1000);
    expect(await remote.fetch(nonce, remote.task("nonce"))).toHaveLength(32);
    expect(counts.states).toEqual(["down", "up"]);
  });

  test("fails when the origin is another chain after an outage", async () => {
    await using server = serve();
    const port = Number(new URL(server.url).port);
    const remote = new OriginRemote(remoteOptions([server.url], { timeoutMs: 500 }));
    await remote.repin(forkAt(5));
    await server[Symbol.asyncDispose]();
    await failureOf(remote.fetch(nonce, remote.task("nonce")));

    await using second = serveChain(other.chain, ORIGIN_CHAIN_ID, "0.10", port);
    expect(second.requests).toEqual([]);
    await Bun.sleep(1500);
    const error = await failureOf(remote.fetch(nonce, remote.task("nonce")));
    expect(error.code).toBe("ORIGIN_CHANGED");
  });
});
