import { describe, expect, test } from "bun:test";
import type { SubmitOutcome } from "#services/admission/index.ts";
import { ids } from "#app/node/threads/pending-requests.ts";
import { SubmissionGates } from "#app/node/admission/submission-gates.ts";

const ACCEPTED: SubmitOutcome = { kind: "accepted", transactionHash: 1n };

const from = (sender: bigint) => ({ sender, client: "192.0.2.1" });

function world(count: number) {
  const sent: (readonly [gate: number, id: number, bytes: Uint8Array])[] = [];
  const gates = new SubmissionGates({
    sends: Array.from(
      { length: count },
      (_, gate) => (id: number, bytes: Uint8Array) => void sent.push([gate, id, bytes]),
    ),
    hasAccount: () => true,
    nowMs: () => 0,
    nextId: ids(),
  });
  return { gates, sent };
}

const bytesOf = (value: number) => Uint8Array.of(value);

describe("submission gates", () => {
  test("send all submissions of a sender to one thread in order, and use all threads", () => {
    const { gates, sent } = world(4);
    const threads = new Map<bigint, Set<number>>();
    for (let i = 0; i < 32; i++) {
      const sender = (BigInt(i % 8) << 128n) + BigInt(i % 8);
      void gates.submit(from(sender), bytesOf(i));
      const last = sent.at(-1);
      const used = threads.get(sender) ?? new Set();
      threads.set(sender, used.add(last?.[0] ?? -1));
      while (sent.length > 0) gates.validated(sent.shift()?.[1] ?? -1, 0);
    }
    expect([...threads.values()].map(({ size }) => size)).toEqual(Array(8).fill(1));
    expect(new Set([...threads.values()].flatMap((used) => [...used])).size).toBe(4);
  });

  test("resolve each submission with its own outcome", async () => {
    const { gates, sent } = world(3);
    const outcomes = [1n, 2n, 3n].map((sender) => gates.submit(from(sender), bytesOf(1)));
    for (const [, id] of sent.toReversed()) {
      gates.settled(id, { kind: "accepted", transactionHash: BigInt(id) });
    }
    const expected = sent.map(([, id]) => ({ kind: "accepted", transactionHash: BigInt(id) }));
    expect(await Promise.all(outcomes)).toEqual(expected as SubmitOutcome[]);
  });

  test("do not delay senders of one thread for another thread", () => {
    const { gates, sent } = world(2);
    for (let i = 0; i < 100; i++) void gates.submit(from(2n), bytesOf(i));
    const filled = sent.length;
    expect(filled).toBeLessThan(100);
    void gates.submit(from(3n), bytesOf(0));
    expect(sent).toHaveLength(filled + 1);
    expect(sent.at(-1)?.[0]).toBe(1);
  });

  test("hold together no more queued bytes than a single gate", async () => {
    const refused = async (count: number): Promise<number> => {
      const { gates } = world(count);
      const answers: SubmitOutcome[] = [];
      // Half a mebibyte each: a gate queues 64 of them, plus those in flight.
      for (let i = 0; i < 100; i++) {
        void gates
          .submit(from(BigInt(count * i)), new Uint8Array(2 ** 19))
          .then((o) => answers.push(o));
      }
      await Promise.resolve();
      return answers.length;
    };
    const alone = await refused(1);
    expect(alone).toBeGreaterThan(0);
    expect(await refused(4)).toBe(alone + 48);
  });

  test("settle all submissions on interrupt and on stop", async () => {
    const { gates, sent } = world(2);
    const first = [2n, 3n].map((sender) => gates.submit(from(sender), bytesOf(1)));
    gates.interrupt(ACCEPTED);
    expect(await Promise.all(first)).toEqual([ACCEPTED, ACCEPTED]);
    gates.stop();
    expect(await gates.submit(from(2n), bytesOf(1))).toMatchObject({
      reason: "the node is stopping",
    });
    expect(await gates.submit(from(3n), bytesOf(1))).toMatchObject({
      reason: "the node is stopping",
    });
    expect(sent).toHaveLength(2);
  });
});
