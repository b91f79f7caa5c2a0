import { expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import {
  AnsweringChannel,
  KnownValues,
  OriginFetcher,
  OriginMissing,
  type OriginQuery,
} from "#io/origin/index.ts";

function nonceOf(address: bigint): OriginQuery {
  return { kind: "nonce", block: 3, address };
}

/** A fetcher whose requests are answered by `answer`. */
function world(answer: (query: OriginQuery) => Promise<Uint8Array | null>) {
  const known = new KnownValues({ maxBytes: 1 << 20, l1AcceptedMs: 0, nowMs: () => 0 });
  const answering = new AnsweringChannel(
    { answer, keep: answer, knows: () => false },
    false,
    (reply) => fetcher.receive(reply),
  );
  const fetcher: OriginFetcher = new OriginFetcher((request) => answering.receive(request), known);
  return { known, fetcher };
}

test("knows the values that were fetched, and those that are absent", async () => {
  const value = new Uint8Array([1, 2]);
  const { known, fetcher } = world(async (query) =>
    query.kind === "nonce" && query.address === 1n ? value : null,
  );
  expect(() => known.ask(nonceOf(1n))).toThrow(OriginMissing);
  expect(await fetcher.fetch([nonceOf(1n), nonceOf(2n)])).toBeUndefined();
  expect([known.ask(nonceOf(1n)), known.ask(nonceOf(2n))]).toEqual([value, null]);
});

test("returns the failure of a value, and knows the others", async () => {
  const lost = new OriginError("ORIGIN_UNAVAILABLE", "http://origin:1 is down", true);
  const { known, fetcher } = world(async (query) => {
    if (query.kind === "nonce" && query.address === 1n) throw lost;
    return null;
  });
  const failure = await fetcher.fetch([nonceOf(1n), nonceOf(2n)]);
  expect([failure?.code, failure?.message, failure?.retryable]).toEqual([
    "ORIGIN_UNAVAILABLE",
    "http://origin:1 is down",
    true,
  ]);
  expect(known.ask(nonceOf(2n))).toBeNull();
  expect(() => known.ask(nonceOf(1n))).toThrow(OriginMissing);
});

test("answers each of several fetches in flight", async () => {
  const gates = new Map<bigint, PromiseWithResolvers<null>>();
  const { fetcher } = world((query) => {
    const gate = Promise.withResolvers<null>();
    if (query.kind === "nonce") gates.set(query.address, gate);
    return gate.promise;
  });
  const done: string[] = [];
  const first = fetcher.fetch([nonceOf(1n)]).then(() => done.push("first"));
  const second = fetcher.fetch([nonceOf(2n)]).then(() => done.push("second"));
  gates.get(2n)?.resolve(null);
  await second;
  gates.get(1n)?.resolve(null);
  await first;
  expect(done).toEqual(["second", "first"]);
});
