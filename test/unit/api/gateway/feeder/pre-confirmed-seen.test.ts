import { describe, expect, test } from "bun:test";
import { preConfirmed } from "#api/gateway/feeder/works/pre-confirmed.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { PendingOverlay } from "#engine/state/index.ts";
import { encodeTransaction } from "#protocol/chain/index.ts";
import { delta, preConfirmedContext } from "#test/helpers/pre-confirmed-world.ts";
import { INVOKE_V3, SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

/** What a query thread answers that has seen the transactions `hashes` in block 2. */
function asked(
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

const toldBy = (answer: JsonObject): unknown =>
  (answer["transactions"] as JsonObject[]).map((each) => each["transaction_hash"]);

describe("a query thread answers what the main thread has seen of a block", () => {
  test("transactions that came since are left out, with their receipts and diffs", () => {
    const answer = asked([1n, 2n, 3n], { count: 2, last: 2n });
    expect(toldBy(answer)).toEqual(["0x1", "0x2"]);
    expect(answer["transaction_receipts"]).toHaveLength(2);
    expect(answer["transaction_state_diffs"]).toHaveLength(2);
  });

  test("so they are behind what is known", () => {
    const answer = asked([1n, 2n, 3n], { count: 2, last: 2n }, { known: 1 });
    expect(toldBy(answer)).toEqual(["0x2"]);
    expect(answer["transaction_state_diffs"]).toHaveLength(1);
  });

  test("a candidate that was executed since is still one", () => {
    const answer = asked([1n, 2n], { count: 1, last: 1n }, { candidates: [1n, 2n, 3n] });
    expect(toldBy(answer)).toEqual([1n, 2n, 3n].map(hexFromFelt));
    expect(answer["transaction_receipts"]).toMatchObject([{}, null, null]);
  });

  test("a block that has opened since is empty", () => {
    expect(toldBy(asked([1n], { count: 0, last: null }))).toEqual([]);
    expect(toldBy(asked([], { count: 0, last: null }))).toEqual([]);
  });

  test.each([
    ["has another transaction in that place", [1n, 4n, 3n]],
    ["has fewer of them", [1n]],
    ["is gone", []],
  ])("a block that %s is not found", (_, hashes) => {
    expect(() => asked(hashes, { count: 2, last: 2n })).toThrow("Block not found");
  });
});
