import { describe, expect, test } from "bun:test";
import { Progress, PROGRESS_TIMEOUT_MS } from "#app/node/production/progress.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

function world() {
  const timer = new FakeTimer();
  let latest = 1;
  const chain = {
    latestNumber: () => latest,
    locate: SAMPLE_CHAIN.locate.bind(SAMPLE_CHAIN),
    receiptAt: SAMPLE_CHAIN.receiptAt.bind(SAMPLE_CHAIN),
  };
  const progress = new Progress({ chain, overlay: () => ({ blocks: () => [] }), timer });
  return {
    progress,
    timer,
    accept: (number: number) => {
      latest = number;
      progress.changed();
    },
  };
}

/** Lets pending work continue. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("waiting for progress", () => {
  test("ends when the block is accepted", async () => {
    const { progress, accept } = world();
    let isOver = false;
    const waiting = progress.accepted(3).then(() => (isOver = true));
    accept(2);
    await settle();
    expect(isOver).toBe(false);
    accept(3);
    await waiting;
    await progress.accepted(2);
  });

  test("polls at intervals", async () => {
    const { progress, timer } = world();
    let looks = 0;
    const waiting = progress.until(() => (++looks === 3 ? "found" : undefined));
    for (let i = 0; i < 2; i++) {
      await settle();
      timer.advance(100);
    }
    expect(await waiting).toBe("found");
    expect(timer.alarms).toBe(0);
  });

  test("fails after the timeout", async () => {
    const { progress, timer } = world();
    const waiting = progress.until(() => undefined);
    await settle();
    timer.advance(PROGRESS_TIMEOUT_MS);
    expect(waiting).rejects.toThrow("it was not executed in time");
    await settle();
  });

  test("fails when the chain is reverted, and can start again afterwards", async () => {
    const { progress, accept } = world();
    const waiting = progress.accepted(3);
    await settle();
    progress.interrupt();
    expect(waiting).rejects.toThrow("was reverted");
    await settle();
    const next = progress.accepted(2);
    accept(2);
    await next;
  });

  test("finds receipts of accepted blocks", () => {
    const { progress } = world();
    const [hash = 0n] = SAMPLE_CHAIN.transactionHashes(1);
    expect(progress.receiptOf(hash)?.transactionHash).toBe(hash);
    expect(progress.receiptOf(0x404n)).toBeUndefined();
    expect([progress.blockOf(hash), progress.blockOf(0x404n)]).toEqual([1, undefined]);
  });
});
