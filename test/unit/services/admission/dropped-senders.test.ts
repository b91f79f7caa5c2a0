import { describe, expect, test } from "bun:test";
import { DroppedSenders } from "#services/admission/dropped-senders.ts";
import type { MempoolEntry } from "#services/admission/mempool/index.ts";
import { admissionWorld, VALID } from "#test/helpers/admission-world.ts";
import { mempoolEntry } from "#test/helpers/mempool-entry.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";

const entry = (hash: bigint, sender: bigint): MempoolEntry => mempoolEntry({ hash, sender });

function world(nowMs = 10_000) {
  const clock = { nowMs };
  const senders = new DroppedSenders([], () => clock.nowMs);
  /** Drops a transaction that its account's validation had accepted. */
  const drop = (hash: bigint, sender: bigint) => {
    const dropped = entry(hash, sender);
    senders.validated(dropped);
    return senders.dropped(dropped, "OUT_OF_MEMORY");
  };
  const waits = (hash: bigint, sender: bigint): number =>
    senders.refusalOf(entry(hash, sender))?.retryAfterSeconds ?? 0;
  return { clock, senders, drop, waits };
}

describe("an account whose transactions were dropped after their execution", () => {
  test("must wait, twice as long each time; others need not", () => {
    const { clock, drop, waits, senders } = world();
    expect(drop(1n, 7n)).toEqual({
      pause: { sender: 7n, drops: 1, endsAtMs: 12_000 },
      note:
        "a transaction of the account was dropped after its execution: another one is accepted in 2 s, " +
        "the same transaction is accepted again in 30 s",
    });
    expect([waits(2n, 7n), waits(1n, 7n), waits(2n, 8n)]).toEqual([2, 30, 0]);
    expect(senders.refusalOf(entry(2n, 7n))?.reason).toBe(
      "transactions of the account were dropped after their execution: try again in 2 s",
    );
    clock.nowMs += 2_000;
    expect(waits(2n, 7n)).toBe(0);
    expect(drop(2n, 7n)?.note).toStartWith("2 transactions of the account were dropped");
    expect(waits(3n, 7n)).toBe(4);
  });

  test("does not wait longer when others resend the same transaction, which itself waits", () => {
    const { clock, drop, waits } = world();
    drop(1n, 7n);
    clock.nowMs += 30_000;
    expect(waits(1n, 7n)).toBe(0);
    expect(drop(1n, 7n)).toMatchObject({ pause: undefined });
    expect([waits(1n, 7n), waits(2n, 7n)]).toEqual([60, 0]);
  });

  test("does not wait for transactions that it did not validate or that were not executed", () => {
    const { senders, waits } = world();
    expect(senders.dropped(entry(1n, 7n), "VALIDATION_FAILED")).toBeUndefined();
    const honest = entry(2n, 7n);
    senders.validated(honest);
    expect(senders.dropped(honest, "INVALID_NONCE")).toBeUndefined();
    expect(senders.dropped(honest, "INSUFFICIENT_BALANCE")).toBeUndefined();
    expect([waits(1n, 7n), waits(2n, 7n), waits(3n, 7n)]).toEqual([0, 0, 0]);
  });

  test("still waits after a restart", () => {
    const { drop } = world();
    const pause = drop(1n, 7n)?.pause;
    const after = new DroppedSenders(pause === undefined ? [] : [pause], () => 11_000);
    expect(after.refusalOf(entry(2n, 7n))?.retryAfterSeconds).toBe(1);
    const next = entry(3n, 7n);
    after.validated(next);
    expect(after.dropped(next, "TOO_LARGE")?.pause).toMatchObject({ drops: 2 });
  });
});

describe("admission", () => {
  const rejected = (hash: bigint) =>
    ({
      kind: "settled",
      delta: null,
      included: [],
      rejected: [{ hash, code: "OUT_OF_MEMORY", reason: "too much" }],
      requeued: [],
    }) as const;

  /** Submits a transaction and has the executor drop it. */
  async function dropped(skipped: boolean) {
    const world = await admissionWorld({ validate: () => ({ ...VALID, skipped }) });
    await world.submit(1, emptyInvoke(1n, 0n));
    const outcome = world.outcome(1);
    const hash = outcome?.kind === "accepted" ? outcome.transactionHash : -1n;
    world.executor.tell({ kind: "take", max: 9 });
    world.executor.tell(rejected(hash));
    return { world, hash };
  }

  test("rejects the next transaction of such an account with a retry time", async () => {
    const { world, hash } = await dropped(false);
    expect(world.store.rejectionOf(hash)?.reason).toBe(
      "too much (a transaction of the account was dropped after its execution: another one is accepted " +
        "in 2 s, the same transaction is accepted again in 30 s)",
    );
    expect(world.store.pauses(0)).toEqual([{ sender: 1n, drops: 1, endsAtMs: 1_002_000 }]);
    await world.submit(2, emptyInvoke(1n, 0n, 5n));
    await world.submit(3, emptyInvoke(2n, 0n));
    expect([world.outcome(2), world.outcome(3)]).toMatchObject([
      { kind: "rejected", retryAfterSeconds: 2 },
      { kind: "accepted" },
    ]);
    world.clock.nowMs += 2_000;
    await world.submit(4, emptyInvoke(1n, 0n, 5n));
    expect(world.outcome(4)).toMatchObject({ kind: "accepted" });
  });

  test("imposes no wait for a transaction whose account skipped validation", async () => {
    const { world, hash } = await dropped(true);
    expect(world.store.rejectionOf(hash)?.reason).toBe("too much");
    await world.submit(2, emptyInvoke(1n, 0n, 5n));
    expect(world.outcome(2)).toMatchObject({ kind: "accepted" });
  });
});
