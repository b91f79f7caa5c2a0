import { describe, expect, test } from "bun:test";
import { type ChangedPlaces, prefetchChange } from "#app/node/devnet/prefetch-change.ts";
import { OriginError } from "#base/errors/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { OriginMissing, type OriginQuery } from "#io/origin/index.ts";

const BLOCK = 7;
const ENDS_AT_MS = 30_000;
/** Contract whose values are all here. */
const LOCAL = 0x10n;
const NOTHING: ChangedPlaces = { deployed: [], replaced: [], storage: [], nonces: [] };

/** A state that lacks the values of all contracts but one, and an origin that records its fetches. */
function world(fault?: OriginError) {
  const fetches: (readonly OriginQuery[])[] = [];
  const missing = (address: bigint, query: OriginQuery): bigint => {
    if (address !== LOCAL) throw new OriginMissing([query]);
    return 1n;
  };
  const state: StateReader = {
    storageAt: (address, key) => missing(address, { kind: "storage", block: BLOCK, address, key }),
    nonceAt: (address) => missing(address, { kind: "nonce", block: BLOCK, address }),
    classHashAt: (address) => missing(address, { kind: "classHash", block: BLOCK, address }),
    compiledClassHashOf: () => 0n,
    executableClass: () => undefined,
  };
  const origin = {
    fetch(queries: readonly OriginQuery[], _: unknown, endsAtMs: number): Promise<void> {
      expect(endsAtMs).toBe(ENDS_AT_MS);
      fetches.push(queries);
      return fault === undefined ? Promise.resolve() : Promise.reject(fault);
    },
    callEndsAtMs: () => ENDS_AT_MS,
  };
  const prefetch = (change: Partial<ChangedPlaces>) =>
    prefetchChange(origin, state, { ...NOTHING, ...change });
  return { fetches, prefetch };
}

describe("a change of a fork's state", () => {
  test("fetches the values that it replaces together, each class hash once", async () => {
    const { fetches, prefetch } = world();
    await prefetch({
      deployed: [{ contractAddress: 0x21n, classHash: 5n }],
      replaced: [{ contractAddress: 0x22n, classHash: 5n }],
      storage: [
        { contractAddress: 0x23n, key: 1n, value: 9n },
        { contractAddress: 0x23n, key: 2n, value: 9n },
      ],
      nonces: [{ contractAddress: 0x23n, nonce: 4n }],
    });
    expect(fetches).toEqual([
      [
        { kind: "classHash", block: BLOCK, address: 0x21n },
        { kind: "classHash", block: BLOCK, address: 0x22n },
        { kind: "classHash", block: BLOCK, address: 0x23n },
        { kind: "storage", block: BLOCK, address: 0x23n, key: 1n },
        { kind: "storage", block: BLOCK, address: 0x23n, key: 2n },
        { kind: "nonce", block: BLOCK, address: 0x23n },
      ],
    ]);
  });

  test("requests nothing that is here", async () => {
    const { fetches, prefetch } = world();
    await prefetch({ storage: [{ contractAddress: LOCAL, key: 1n, value: 2n }] });
    await prefetch({});
    expect(fetches).toEqual([]);
  });

  test("is fetched in parts when it is large", async () => {
    const { fetches, prefetch } = world();
    await prefetch({
      storage: Array.from({ length: 2_500 }, (_, key) => ({
        contractAddress: 0x23n,
        key: BigInt(key),
        value: 1n,
      })),
    });
    expect(fetches.map(({ length }) => length)).toEqual([1_000, 1_000, 501]);
  });

  test("fails when the origin does not return a value", async () => {
    const fault = new OriginError("ORIGIN_UNAVAILABLE", "no response", true);
    const { prefetch } = world(fault);
    const storage = [{ contractAddress: 0x23n, key: 1n, value: 2n }];
    expect(await prefetch({ storage }).catch((error: unknown) => error)).toBe(fault);
  });
});
