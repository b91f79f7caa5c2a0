import { expect, test } from "bun:test";
import fc from "fast-check";
import { FINALITY, type MessageNode, messageWorld, send } from "#test/helpers/l1-message-node.ts";
import type { ModelChain } from "#test/helpers/l1-message-chain.ts";
import { type L1Operation, messageHashOf, type ModelL1 } from "#test/helpers/l1-message-model.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Events on L1, on the chain and in the node, in sequence. */
type Step =
  | { readonly kind: "sends"; readonly count: number }
  | { readonly kind: "cancels"; readonly back: number }
  | { readonly kind: "mines"; readonly blocks: number }
  | { readonly kind: "passes"; readonly seconds: number }
  | { readonly kind: "reorganizes"; readonly depth: number; readonly keeps: boolean }
  | { readonly kind: "accepts" }
  | { readonly kind: "restarts"; readonly loses: boolean }
  | { readonly kind: "reverts"; readonly blocks: number }
  | { readonly kind: "interrupts"; readonly batches: number }
  | { readonly kind: "falls silent"; readonly seconds: number }
  | { readonly kind: "omits"; readonly back: number }
  | { readonly kind: "is behind"; readonly blocks: number };

const counts = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("sends"), count: counts(1, 12) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancels"), back: counts(0, 8) }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("mines"), blocks: counts(1, 4) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("passes"), seconds: counts(0, 3) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("reorganizes"),
        depth: counts(1, FINALITY),
        keeps: fc.boolean(),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("accepts") }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("restarts"), loses: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reverts"), blocks: counts(1, 4) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("interrupts"), batches: counts(1, 3) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("falls silent"), seconds: counts(1, 5) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("omits"), back: counts(0, 4) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("is behind"), blocks: counts(1, 6) }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
);

interface World {
  readonly l1: ModelL1;
  readonly chain: ModelChain;
  readonly node: MessageNode;
}

async function take({ l1, chain, node }: World, step: Step): Promise<void> {
  switch (step.kind) {
    case "sends": {
      const { length } = l1.contract().logs;
      l1.mine(...Array.from({ length: step.count }, (_, index) => send(BigInt(length + index))));
      return;
    }
    case "cancels": {
      const nonce = l1.contract().logs.length - 1 - step.back;
      if (nonce >= 0) l1.mine({ kind: "cancel", nonce: BigInt(nonce) });
      return;
    }
    case "mines":
      l1.mineEmpty(step.blocks);
      return;
    case "passes":
      await node.run(step.seconds);
      return;
    case "reorganizes":
      l1.reorganize(step.depth, (same) => (step.keeps ? same : withoutSomeOf(same)));
      return;
    case "accepts":
      chain.accept();
      return;
    case "restarts":
      await node.restart();
      if (step.loses) chain.loseOpenBlock();
      return;
    case "reverts":
      chain.revertBelow(Math.max(0, chain.openBlock - step.blocks));
      node.chainChanged();
      return;
    case "interrupts":
      chain.interruptions = step.batches;
      return;
    case "falls silent":
      l1.isDown = true;
      await node.run(step.seconds);
      l1.isDown = false;
      return;
    case "omits":
      l1.omitted.add(BigInt(Math.max(0, l1.contract().logs.length - 1 - step.back)));
      await node.run(2);
      l1.omitted.clear();
      return;
    case "is behind":
      l1.staleBy = Math.min(step.blocks, l1.head);
      await node.run(2);
      l1.staleBy = 0;
  }
}

/** Every second operation, in reverse order. */
function withoutSomeOf(operations: readonly L1Operation[]): L1Operation[] {
  return operations.filter((_, index) => index % 2 === 0).reverse();
}

test("executes each valid message once and no other, whatever happens", async () => {
  await assertProperty(
    fc.asyncProperty(steps, async (story) => {
      const world = messageWorld();
      const { l1, chain, node } = world;
      const wrong: string[] = [];
      const returned = new Set<bigint>();
      let highest = -1n;
      let epoch = 0;
      chain.beforeBatch = (orders) => {
        for (const event of node.events.splice(0)) {
          if (event.kind === "returned") returned.add(event.nonce);
          if (event.kind !== "found") continue;
          for (let { firstNonce } = event; firstNonce <= event.lastNonce; firstNonce++) {
            returned.add(firstNonce);
          }
        }
        if (epoch !== node.beginnings) highest = -1n;
        epoch = node.beginnings;
        const { messageStates, logs } = l1.contract();
        for (const { nonce } of orders) {
          const log = logs[Number(nonce)];
          const state = log && messageStates.get(messageHashOf(log));
          // A node that is shown an older head cannot know better.
          const isSound = l1.staleBy > 0 || state?.cancellationStarted === 0n;
          if (!isSound) wrong.push(`${nonce} is being canceled`);
          if (l1.head - (log?.l1Block.number ?? l1.head) < FINALITY)
            wrong.push(`${nonce} is young`);
          if (!returned.has(nonce) && nonce <= highest) wrong.push(`${nonce} after ${highest}`);
          if (nonce > highest) highest = nonce;
        }
      };
      for (const step of story) await take(world, step);
      chain.interruptions = 0;
      l1.mineEmpty(FINALITY + 1);
      await node.run(60);
      const { logs, messageStates } = l1.contract();
      const executed = chain.nonces;
      expect(new Set(executed).size).toBe(executed.length);
      for (const log of logs) {
        const isCanceled = messageStates.get(messageHashOf(log))?.cancellationStarted !== 0n;
        if (!isCanceled) expect(executed).toContain(log.nonce);
      }
      expect(executed.every((nonce) => nonce < BigInt(logs.length))).toBe(true);
      expect(wrong).toEqual([]);
      expect(node.alarms).toEqual([]);
      expect(node.backlog).toBe(0);
      await node.stop();
    }),
    { numRuns: 60 },
  );
}, 60_000);
