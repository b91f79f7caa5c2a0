import { describe, expect } from "bun:test";
import fc from "fast-check";
import { keccak256 } from "viem";
import { CoreModel } from "#test/helpers/core-model.ts";
import { updateFact, updateOutput, words } from "#test/helpers/l1-core.ts";
import { l1Address } from "#test/helpers/l1-contract.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useCore } from "#test/helpers/use-core.ts";

const FIELD_PRIME = 0x800000000000011000000000000000000000000000000000000000000000001n;
const SENDER = BigInt(l1Address(1));

/** Two pending messages, and one that was never sent. */
const TO_L2 = [
  [SENDER, 7n, 0n, 8n, 0n],
  [SENDER, 7n, 1n, 8n, 2n, 1n, 2n],
  [SENDER, 7n, 2n, 8n, 1n, 3n],
];
const PENDING = TO_L2.slice(0, 2);

const word = fc.oneof(
  fc.bigInt({ min: 0n, max: 12n }),
  fc.constantFrom(2n ** 30n - 1n, 2n ** 30n, FIELD_PRIME - 1n, FIELD_PRIME, 2n ** 256n - 1n),
);
const toL1 = fc
  .record({
    from: word,
    to: fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
    payload: fc.array(word, { maxLength: 3 }),
  })
  .map(({ from, to, payload }) => [from, to, BigInt(payload.length), ...payload]);
const output = fc
  .record({
    toL1: fc.array(toL1, { maxLength: 3 }),
    toL2: fc.shuffledSubarray(TO_L2, { maxLength: 2 }),
  })
  .map((messages) =>
    updateOutput({
      previous: { root: 0n, number: -1n, hash: 0n },
      next: { root: 11n, number: 0n, hash: 21n },
      toL1: messages.toL1.flat(),
      toL2: messages.toL2.flat(),
    }),
  );

/**
 * A change at a position, as often counted from the end, where the messages are, as from the
 * start.
 */
const change = fc.record({
  at: fc.integer({ min: -12, max: 14 }),
  remove: fc.integer({ min: 0, max: 2 }),
  insert: fc.array(word, { maxLength: 2 }),
});
const changed = fc
  .record({ output, changes: fc.array(change, { maxLength: 2 }) })
  .map(({ output: whole, changes }) =>
    changes.reduce((rest, { at, remove, insert }) => rest.toSpliced(at, remove, ...insert), whole),
  );

const onL1 = useCore();

describe("updateState with random outputs", () => {
  onL1("agrees with an independent model of its rules", async ({ core, verifier, anvil }) => {
    await core.send("sendMessageToL2", [7n, 8n, []], { from: 1, value: 1n });
    await core.send("sendMessageToL2", [7n, 8n, [1n, 2n]], { from: 1, value: 1n });
    const verdicts = new Map<string, number>();
    await assertProperty(
      fc.asyncProperty(changed, async (given) => {
        const model = new CoreModel(PENDING.map((message) => keccak256(words(message))));
        const expected = model.update(given);
        verdicts.set(expected, (verdicts.get(expected) ?? 0) + 1);
        await verifier.send("registerFact", [updateFact(given)]);
        expect(await core.refusal("updateState", [given, 0n, 0n])).toBe(expected);
        if (expected !== "no refusal") return;
        const before = await anvil.client.snapshot();
        await core.send("updateState", [given, 0n, 0n]);
        for (const [hash, count] of model.toL1) {
          expect(await core.read("l2ToL1Messages", hash)).toBe(BigInt(count));
        }
        for (const message of PENDING) {
          const hash = keccak256(words(message));
          const left = model.consumed.includes(hash) ? 0n : 2n;
          expect(await core.read("l1ToL2Messages", hash)).toBe(left);
        }
        await anvil.client.revert({ id: before });
      }),
      { numRuns: 250, minRuns: 120 },
    );
    // The seed yields both accepted updates and many kinds of refusals.
    expect(verdicts.get("no refusal")).toBeGreaterThan(bySize({ quick: 6, full: 20 }));
    expect(verdicts.size).toBeGreaterThan(9);
  });
});
