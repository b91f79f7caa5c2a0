import { describe, expect, test } from "bun:test";
import { metadataOfChain, readOrLess } from "#app/node/devnet/devnet-metadata.ts";
import { OriginError } from "#base/errors/index.ts";
import { OriginMissing, type OriginQuery } from "#io/origin/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const CLASS: OriginQuery = { kind: "classHash", block: 3, address: 7n };

const missing = (): never => {
  throw new OriginMissing([CLASS]);
};

describe("readOrLess", () => {
  test("reads once on a chain that is no fork", async () => {
    expect(await readOrLess(null, new FakeTimer(), () => "all", missing)).toBe("all");
  });

  test("waits for values of the origin", async () => {
    let isHere = false;
    const fork = {
      fetch: async () => {
        isHere = true;
      },
      callEndsAtMs: () => 30_000,
    };
    const read = () => (isHere ? "all" : missing());
    expect(await readOrLess(fork, new FakeTimer(), read, missing)).toBe("all");
  });

  test("reads less if the origin does not return them soon", async () => {
    const ends: number[] = [];
    const fork = {
      fetch: async (_queries: unknown, _client: unknown, endsAtMs: number) => {
        ends.push(endsAtMs);
        throw new OriginError("ORIGIN_UNAVAILABLE", "it is lost", true);
      },
      callEndsAtMs: () => 30_000,
    };
    expect(await readOrLess(fork, new FakeTimer(), missing, () => "less")).toBe("less");
    expect(ends).toEqual([2_000]);
  });
});

test("the metadata of a chain has no class that is unknown", () => {
  const tokens = { FRI: 1n, WEI: 2n };
  const state = { storageAt: () => 0n };
  const classOf = (token: bigint) => (token === tokens.FRI ? 5n : null);
  expect(metadataOfChain([], null, tokens, state, classOf)).toMatchObject({
    strkClass: 5n,
    ethClass: null,
  });
});
