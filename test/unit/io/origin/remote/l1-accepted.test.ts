import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeNumber } from "#io/origin/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
  pinnedRemote,
} from "#test/helpers/origin-chain.ts";
import { failureOf } from "#test/helpers/origin-pool.ts";
import { serveChain } from "#test/helpers/origin-server.ts";

const FORK = 12;

let origin: OriginChain;

beforeAll(async () => {
  origin = await openOriginChain(FORK + 1);
});
afterAll(() => origin[Symbol.dispose]());

const query = { kind: "l1Accepted" } as const;

describe.each(["0.8", "0.9", "0.10"])("the L1-accepted block with JSON-RPC %s", (version) => {
  test.each([
    [undefined, null],
    [0, 0],
    [7, 7],
    [FORK, FORK],
    [FORK + 1, FORK],
  ])("is at most the fork block: %p", async (accepted, expected) => {
    const chain = acceptedUpTo(() => accepted);
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    const value = await fetch(query);
    if (expected === null) expect(value).toBeNull();
    else expect(decodeNumber(must(value))).toBe(expected);
  });

  test("is not taken from another chain that a URL leads to", async () => {
    await using server = serveChain(
      acceptedUpTo(() => 3),
      ORIGIN_CHAIN_ID,
      version,
    );
    const { fetch } = await pinnedRemote(server.url, FORK);
    using other = await openOriginChain(FORK + 1, 5);
    const further = acceptedUpTo(() => 7, other);
    await using second = serveChain(further, ORIGIN_CHAIN_ID, version);
    expect(decodeNumber(must(await fetch(query)))).toBe(3);
    server.instead = ({ calls, isBatch }) =>
      globalThis.fetch(second.url, {
        method: "POST",
        body: JSON.stringify(isBatch ? calls : calls[0]),
      });
    expect((await failureOf(fetch(query))).code).toBe("ORIGIN_CHANGED");
    server.instead = () => undefined;
    expect(decodeNumber(must(await fetch(query)))).toBe(3);
  });

  test("moves on, and is not requested once it is the fork block", async () => {
    let accepted = 3;
    const chain = acceptedUpTo(() => accepted);
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, version);
    const { fetch } = await pinnedRemote(server.url, FORK);
    expect(decodeNumber(must(await fetch(query)))).toBe(3);
    accepted = FORK + 1;
    expect(decodeNumber(must(await fetch(query)))).toBe(FORK);
    server.requests.length = 0;
    expect(decodeNumber(must(await fetch(query)))).toBe(FORK);
    expect(server.requests).toEqual([]);
  });
});

/** The chain of an origin with another L1-accepted block. */
function acceptedUpTo(
  accepted: () => number | undefined,
  of: OriginChain = origin,
): OriginChain["chain"] {
  return new Proxy(of.chain, {
    get(chain, name) {
      if (name === "l1AcceptedNumber") return accepted;
      const value: unknown = Reflect.get(chain, name);
      return typeof value === "function" ? (value.bind(chain) as unknown) : value;
    },
  });
}
