import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type OriginQuery, OriginRemote, originQueryText } from "#io/origin/index.ts";
import { openOriginChain, ORIGIN_CHAIN_ID, type OriginChain } from "#test/helpers/origin-chain.ts";
import { failureOf } from "#test/helpers/origin-pool.ts";
import {
  errorResponse,
  type Instead,
  type OriginServer,
  remoteOptions,
  type SentCall,
  serveChain,
} from "#test/helpers/origin-server.ts";

const FORK = 8;

let origin: OriginChain;

beforeAll(async () => {
  origin = await openOriginChain(FORK + 1);
});
afterAll(() => origin[Symbol.dispose]());

const isByHash = ({ params }: SentCall): boolean =>
  Object.hasOwn((params["block_id"] ?? {}) as object, "block_hash");

/** Responds as a node that finds no block by its hash. */
const REFUSES: Instead = ({ calls }) =>
  calls.every(isByHash) ? errorResponse(calls, 24, "Block not found") : undefined;

const lost = (): Response => new Response("", { status: 502 });

const serve = (): OriginServer => serveChain(origin.chain, ORIGIN_CHAIN_ID, "0.10");

/** Forms of the requests for storage and for other things since the last call. */
function formsAt({ requests }: OriginServer): readonly string[] {
  const calls = requests.splice(0).flatMap((request) => request.calls);
  const named = calls.filter(({ params }) => params["block_id"] !== undefined);
  return named.map((call) => {
    const what = call.method === "starknet_getStorageAt" ? "storage" : "other";
    return `${what} by ${isByHash(call) ? "hash" : "number"}`;
  });
}

async function pinned(urls: readonly string[]) {
  const remote = new OriginRemote(remoteOptions(urls));
  await remote.pin(FORK);
  let key = 0n;
  return () => {
    const query: OriginQuery = { kind: "storage", block: FORK, address: 0x1000n, key: ++key };
    return remote.fetch(query, remote.task(originQueryText(query)));
  };
}

describe("a URL that does not find the fork block by its hash", () => {
  test("gets its number, and other URLs the hash", async () => {
    await using old = serve();
    await using usual = serve();
    const fetch = await pinned([old.url, usual.url]);
    old.instead = REFUSES;
    usual.instead = lost;
    await fetch();
    formsAt(old);
    await fetch();
    expect(formsAt(old)).toEqual(["storage by number", "other by number"]);
    usual.instead = () => undefined;
    old.instead = lost;
    await fetch();
    formsAt(usual);
    await fetch();
    expect(formsAt(usual)).toEqual(["storage by hash"]);
  });

  test("is the URL whose hash of the fork block is compared", async () => {
    await using old = serve();
    await using usual = serve();
    const fetch = await pinned([old.url, usual.url]);
    using other = await openOriginChain(FORK, 5);
    await using elsewhere = serveChain(other.chain, ORIGIN_CHAIN_ID, "0.10");
    old.instead = ({ calls, isBatch }) => {
      const body = JSON.stringify(isBatch ? calls : calls[0]);
      return globalThis.fetch(elsewhere.url, { method: "POST", body });
    };
    usual.instead = ({ calls }) =>
      calls.some(({ method }) => method === "starknet_getStorageAt") ? lost() : undefined;
    expect((await failureOf(fetch())).code).toBe("ORIGIN_CHANGED");
  });
});
