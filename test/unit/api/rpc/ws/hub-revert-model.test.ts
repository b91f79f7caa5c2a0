import { expect, test } from "bun:test";
import fc from "fast-check";
import { assertProperty } from "#test/helpers/property.ts";
import { eventOf, SubscriptionWorld, type WorldClient } from "#test/helpers/subscription-world.ts";

/** A chain event, or turns of the hub. */
type Step =
  | { readonly kind: "execute"; readonly events: number; readonly isNewBlock: boolean }
  | { readonly kind: "accept" }
  | { readonly kind: "subscribe" }
  | { readonly kind: "revert"; readonly by: number }
  | { readonly kind: "turn"; readonly count: number };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("execute" as const),
      events: fc.nat(3),
      isNewBlock: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.constant<Step>({ kind: "accept" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "subscribe" }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("revert" as const), by: fc.nat(4) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("turn" as const),
      count: fc.integer({ min: 1, max: 9 }),
    }),
  },
);

/** Block numbers as a client knows them; fails on a repeated or skipped block. */
function headsOf(client: WorldClient, id: string, first: number): number[] {
  const known: number[] = [];
  for (const { block_number: number, starting_block_number: revertedFrom } of client.results(id)) {
    if (typeof revertedFrom === "number") {
      while ((known.at(-1) ?? -1) >= revertedFrom) known.pop();
      continue;
    }
    if (typeof number !== "number") throw new TypeError("neither a head nor a reorg");
    // The requested first block may have been reverted before its notification.
    if (known.length > 0) expect(number).toBe((known.at(-1) ?? 0) + 1);
    else expect(number).toBeLessThanOrEqual(first);
    known.push(number);
  }
  return known;
}

/** Events as a client knows them, as `transaction/index:finality`. */
function eventsOf(client: WorldClient, id: string): string[] {
  let known: { readonly block: number; readonly text: string }[] = [];
  for (const result of client.results(id)) {
    const { starting_block_number: revertedFrom, block_number: block } = result;
    if (typeof revertedFrom === "number") {
      known = known.filter((each) => each.block < revertedFrom);
      continue;
    }
    const { transaction_hash: hash, event_index: index, finality_status: finality } = result;
    const text = `${String(hash)}/${String(index)}:${String(finality)}`;
    expect(known.map((each) => each.text)).not.toContain(text);
    known.push({ block: Number(block), text });
  }
  return known.map(({ text }) => text);
}

/** Events of the current chain, in the same form. */
function eventsIn(world: SubscriptionWorld, from: number, finality: string): string[] {
  return world.blocks
    .slice(from)
    .flatMap(({ receipts }) =>
      receipts.flatMap(({ transactionHash, events }) =>
        events.map((_, index) => `0x${transactionHash.toString(16)}/${index}:${finality}`),
      ),
    );
}

test("no subscriber misses a block or gets one twice, whatever is reverted and when", async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.array(stepArbitrary, { minLength: 20, maxLength: 80 }),
      fc.constantFrom(0, 0, 4),
      async (story, sliceMs) => {
        const world = new SubscriptionWorld({}, sliceMs);
        const client = world.client();
        const subscribers: { heads: string; events: string; both: string; first: number }[] = [];
        const subscribe = async (first: number): Promise<void> => {
          const from = { block_id: { block_number: first } };
          const heads = await client.subscribe("subscribeNewHeads", from);
          const events = await client.subscribe("subscribeEvents", from);
          const both = await client.subscribe("subscribeEvents", {
            ...from,
            finality_status: "PRE_CONFIRMED",
          });
          subscribers.push({ heads, events, both, first });
        };
        await subscribe(0);
        await world.settle();
        for (const step of story) {
          const latest = world.blocks.length - 1;
          if (step.kind === "execute") {
            const events = Array.from({ length: step.events }, (_, i) => eventOf([BigInt(i)]));
            world.execute(events, { isNewBlock: step.isNewBlock });
          } else if (step.kind === "accept") world.accept();
          else if (step.kind === "revert") world.revert(Math.max(0, latest - step.by));
          else if (step.kind === "subscribe") await subscribe(latest);
          else world.turn(step.count);
        }
        await world.settle();
        while (world.blocks.length < 3) world.accept();
        while (world.blocks.length <= Math.max(...subscribers.map(({ first }) => first)))
          world.accept();
        await world.settle();
        const latest = world.blocks.length - 1;
        for (const { heads, events, both, first } of subscribers) {
          const numbers = headsOf(client, heads, first);
          expect(numbers.at(-1)).toBe(latest);
          const from = numbers[0] ?? 0;
          expect(numbers).toEqual(Array.from({ length: latest + 1 - from }, (_, i) => from + i));
          const accepted = eventsIn(world, from, "ACCEPTED_ON_L2");
          expect(eventsOf(client, events)).toEqual(accepted);
          const known = eventsOf(client, both);
          expect(known.filter((text) => text.endsWith("L2"))).toEqual(accepted);
          // Blocks accepted before the subscription are reported as accepted only.
          const before = eventsIn(world, first + 1, "PRE_CONFIRMED");
          expect(before.filter((text) => !known.includes(text))).toEqual([]);
        }
        expect(world.internalErrors).toEqual([]);
        expect(client.hasFailed).toBe(false);
      },
    ),
    { numRuns: 150 },
  );
});
