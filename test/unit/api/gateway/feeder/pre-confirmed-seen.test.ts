import { describe, expect, test } from "bun:test";
import { preConfirmed } from "#api/gateway/feeder/works/pre-confirmed.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { PendingOverlay } from "#engine/state/index.ts";
import { encodeTransaction } from "#protocol/chain/index.ts";
import { delta, preConfirmedContext } from "#test/helpers/pre-confirmed-world.ts";
import { INVOKE_V3, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

/** Response of a query thread for block 2 with the transactions `hashes`. */
function respond(
  hashes: readonly bigint[],
  seen: { count: number; last: bigint | null },
  more: { known?: number; candidates?: readonly bigint[] } = {},
): JsonObject {
  const overlay = new PendingOverlay(SAMPLE_CHAIN);
  if (hashes.length > 0) overlay.apply(delta(2, 0, hashes));
  return preConfirmed(preConfirmedContext(overlay), {
    block: { number: 2, ...seen },
    identifier: "1-2-1",
    withNumber: false,
    known: more.known,
    candidates: (more.candidates ?? []).map((hash) =>
      encodeTransaction({ hash, transaction: INVOKE_V3 }),
    ),
  });
}

const hashesIn = (answer: JsonObject): unknown =>
  (answer["transactions"] as JsonObject[]).map((each) => each["transaction_hash"]);

describe("pre-confirmed block on a query thread, limited to what the main thread has seen", () => {
  test("omits newer transactions, their receipts and diffs", () => {
    const answer = respond([1n, 2n, 3n], { count: 2, last: 2n });
    expect(hashesIn(answer)).toEqual(["0x1", "0x2"]);
    expect(answer["transaction_receipts"]).toHaveLength(2);
    expect(answer["transaction_state_diffs"]).toHaveLength(2);
  });

  test("omits newer transactions from the changes after a known count", () => {
    const answer = respond([1n, 2n, 3n], { count: 2, last: 2n }, { known: 1 });
    expect(hashesIn(answer)).toEqual(["0x2"]);
    expect(answer["transaction_state_diffs"]).toHaveLength(1);
  });

  test("keeps a candidate that was executed since as a candidate", () => {
    const answer = respond([1n, 2n], { count: 1, last: 1n }, { candidates: [1n, 2n, 3n] });
    expect(hashesIn(answer)).toEqual([1n, 2n, 3n].map(hexFromFelt));
    expect(answer["transaction_receipts"]).toMatchObject([{}, null, null]);
  });

  test("is empty when the main thread has seen no transactions", () => {
    expect(hashesIn(respond([1n], { count: 0, last: null }))).toEqual([]);
    expect(hashesIn(respond([], { count: 0, last: null }))).toEqual([]);
  });

  test.each([
    ["has a different transaction at that index", [1n, 4n, 3n]],
    ["has fewer transactions", [1n]],
    ["is gone", []],
  ])("is not found when the block %s", (_, hashes) => {
    expect(() => respond(hashes, { count: 2, last: 2n })).toThrow("Block not found");
  });
});
