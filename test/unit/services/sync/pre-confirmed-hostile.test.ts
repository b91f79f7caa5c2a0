import { describe, expect, test } from "bun:test";
import { emptyStateDiff } from "#protocol/chain/index.ts";
import { MAX_CLASSES_LOOKED_AT } from "#services/sync/pre-confirmed/follower.ts";
import { MAX_LAYER_BYTES } from "#services/sync/pre-confirmed/layers.ts";
import { pendingWorld as world } from "#test/helpers/open-blocks.ts";

/** A change of this many variables with long keys and values, distinct for each number: megabytes. */
function largeDiff(variables: number, number: bigint) {
  const diff = emptyStateDiff();
  const keys = Array.from(
    { length: variables },
    (_, i) => [(1n << 249n) + (number << 32n) + BigInt(i), 1n << 250n] as const,
  );
  diff.storageDiffs.set(5n, new Map(keys));
  return diff;
}

describe("a gateway that invents pre-confirmed blocks", () => {
  test("is accepted up to a byte limit, then replaced by another one", async () => {
    const { open, pass, reader, source, messagesOf, failures, close } = await world();
    const block = open.set(3, "a", []);
    for (let nonce = 1n; nonce <= 28n; nonce++) {
      block.push({ nonce, diff: largeDiff(40_000, nonce) });
      await pass(500, 500);
    }
    await pass(2_000, 500);
    const deltas = reader.sent.filter((message) => message.kind === "delta");
    const sizes = deltas.map(({ bytes }) => bytes.byteLength);
    const largest = Math.max(...sizes);
    const all = sizes.reduce((sum, each) => sum + each, 0);
    expect(all).toBeGreaterThan(MAX_LAYER_BYTES / 2);
    expect(all).toBeLessThanOrEqual(MAX_LAYER_BYTES + largest);
    expect(source.distrusted).toBeGreaterThan(0);
    expect(messagesOf("preConfirmedDropped").at(-1)?.refusal).toMatchObject({
      check: "form",
      blockNumber: 3,
    });
    expect(failures).toEqual([]);
    await close();
  });

  test("has only few of its named classes fetched, and the rest is still shown", async () => {
    const { open, pass, seen, source, close } = await world();
    const diff = emptyStateDiff();
    for (let i = 1n; i <= 500n; i++) diff.declaredClasses.set(i, i);
    open.set(3, "a", []).push({ nonce: 1n, diff });
    await pass(2_000);
    const asked = source.asked.filter((question) => question.startsWith("class "));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(MAX_CLASSES_LOOKED_AT);
    expect(seen()).toEqual(["3: 1"]);
    await close();
  });
});
