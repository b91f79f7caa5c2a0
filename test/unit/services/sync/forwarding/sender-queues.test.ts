import { expect, test } from "bun:test";
import fc from "fast-check";
import { SenderQueues } from "#services/sync/forwarding/sender-queues.ts";
import { assertProperty } from "#test/helpers/property.ts";

const queued = (sender: bigint, nonce: bigint) => ({
  hash: sender * 1_000n + nonce,
  sender,
  nonce,
  untilMs: 1,
});

test("releases one transaction per account at a time, and accounts take turns", () => {
  const queues = new SenderQueues();
  for (const [sender, nonce] of [
    [1n, 2n],
    [1n, 1n],
    [2n, 5n],
    [1n, 3n],
  ] as const) {
    queues.add(queued(sender, nonce));
  }
  expect([queues.size, queues.take(), queues.take(), queues.take()]).toEqual([
    4,
    queued(1n, 1n),
    queued(2n, 5n),
    undefined,
  ]);
  queues.done({ sender: 1n });
  expect([queues.take(), queues.take(), queues.size]).toEqual([queued(1n, 2n), undefined, 1]);
  queues.clear();
  queues.done({ sender: 1n });
  expect([queues.take(), queues.size]).toEqual([undefined, 0]);
});

test("releases all transactions, those of an account by nonce, in any sequence of operations", () => {
  const step = fc.oneof(
    fc.record({ add: fc.tuple(fc.bigInt(1n, 4n), fc.bigInt(0n, 20n)) }),
    fc.constant("take" as const),
    fc.constant("done" as const),
  );
  assertProperty(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queues = new SenderQueues();
      const model = new Map<bigint, bigint[]>();
      const out: bigint[] = [];
      const take = (): boolean => {
        const next = queues.take();
        const ready = [...model].filter(([sender, all]) => all.length > 0 && !out.includes(sender));
        if (next === undefined) expect(ready).toEqual([]);
        else {
          const all = model.get(next.sender) ?? [];
          expect(out).not.toContain(next.sender);
          expect(next.nonce).toBe(all.sort((a, b) => Number(a - b))[0] as bigint);
          all.shift();
          out.push(next.sender);
        }
        return next !== undefined;
      };
      const done = (): void => {
        const sender = out.shift();
        if (sender !== undefined) queues.done({ sender });
      };
      for (const each of steps) {
        if (each === "take") take();
        else if (each === "done") done();
        else {
          const [sender, nonce] = each.add;
          queues.add(queued(sender, nonce));
          model.set(sender, [...(model.get(sender) ?? []), nonce]);
        }
        const left = [...model.values()].reduce((sum, { length }) => sum + length, 0);
        expect(queues.size).toBe(left);
      }
      while (out.length > 0 || queues.size > 0) if (!take()) done();
      expect(queues.size).toBe(0);
    }),
  );
});
