import { describe, expect, test } from "bun:test";
import { printedState } from "#app/node/storage/reports/printed-state.ts";
import { OriginError } from "#base/errors/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { OriginMissing } from "#io/origin/index.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { storageState } from "#test/helpers/memory-chain.ts";

const OPTIONS = await nodeOptions({});
const OWN = storageState(new Map());
const ACCOUNTS = [{ address: 7n, privateKey: 1n, publicKey: 2n }];
const prepared = { accounts: () => ACCOUNTS as never };

/** State that lacks each storage variable until it is fetched. */
function lackingState(): { readonly state: StateReader; readonly fetched: Set<string> } {
  const fetched = new Set<string>();
  const state: StateReader = {
    ...OWN,
    storageAt(address, key) {
      if (!fetched.has(`${address} ${key}`)) {
        throw new OriginMissing([{ kind: "storage", block: 1, address, key }]);
      }
      return 5n;
    },
  };
  return { state, fetched };
}

describe("printedState", () => {
  test("is the state of the stored chain where no origin is below it", async () => {
    const view = { latestState: () => OWN, wholeState: () => expect.unreachable() };
    expect(await printedState(OPTIONS, { prepared, view, fork: { origin: null } })).toBe(OWN);
  });

  test("has the values of a fork's origin, which are fetched together", async () => {
    const { state, fetched } = lackingState();
    const view = { latestState: () => expect.unreachable(), wholeState: () => state };
    let fetches = 0;
    const fetch = async (queries: OriginMissing["queries"]): Promise<void> => {
      fetches++;
      for (const query of queries) {
        if (query.kind === "storage") fetched.add(`${query.address} ${query.key}`);
      }
    };
    const origin = { fetch, callEndsAtMs: () => 0 };
    const printed = await printedState(OPTIONS, { prepared, view, fork: { origin } });
    expect(printed).toBe(state);
    expect([fetches, fetched.size]).toEqual([1, 4]);
  });

  test("has only own values while the origin is lost", async () => {
    const { state } = lackingState();
    const view = { latestState: () => OWN, wholeState: () => state };
    const lost = new OriginError("ORIGIN_UNAVAILABLE", "it does not respond", true);
    const origin = { fetch: () => Promise.reject(lost), callEndsAtMs: () => 0 };
    expect(await printedState(OPTIONS, { prepared, view, fork: { origin } })).toBe(OWN);
  });
});
