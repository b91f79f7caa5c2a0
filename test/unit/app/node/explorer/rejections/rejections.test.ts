import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import {
  MAX_REASON_LENGTH,
  MAX_REFUSED_BLOCKS,
  MAX_REJECTED,
  Rejections,
} from "#app/node/explorer/rejections/rejections.ts";
import type { ReportedRejection } from "#services/admission/index.ts";
import type { SubmitRefusal } from "#services/sync/index.ts";

const REFUSAL: SubmitRefusal = {
  kind: "rejected",
  code: "VALIDATION_FAILURE",
  reason: "wrong signature",
};

function world() {
  let nowMs = 0;
  return new Rejections(() => ++nowMs);
}

/** Memory of the heap and of texts, after a collection of garbage. */
function heapBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

function rejection(hash: number): ReportedRejection {
  return { hash: BigInt(hash), sender: 0x5en, code: "EXPIRED", reason: "too late" };
}

describe("transactions", () => {
  test("are listed with the newest first, refused and rejected ones together", () => {
    const rejections = world();
    rejections.rejected([rejection(1)]);
    rejections.refused({ sender: 0x7n, hash: () => 2n }, REFUSAL);
    expect(rejections.list().transactions).toMatchObject([
      { hash: 2n, sender: 7n, code: "VALIDATION_FAILURE", wasReceived: false, unixMs: 2 },
      { hash: 1n, sender: 0x5en, code: "EXPIRED", wasReceived: true, unixMs: 1 },
    ]);
  });

  test("have a hash that is computed once, when they are listed", () => {
    const rejections = world();
    let computed = 0;
    rejections.refused({ sender: 0x7n, hash: () => BigInt(++computed) }, REFUSAL);
    rejections.refused({ sender: 0x7n, hash: null }, REFUSAL);
    expect(computed).toBe(0);
    rejections.list();
    expect(rejections.list().transactions.map(({ hash }) => hash)).toEqual([null, 1n]);
  });

  test("of which the sender is unknown say so", () => {
    const rejections = world();
    rejections.rejected([{ ...rejection(1), sender: 0n }]);
    expect(rejections.list().transactions[0]?.sender).toBeNull();
  });

  test("that may be sent again as they are count for nothing", () => {
    const rejections = world();
    rejections.refused({ sender: 0x7n, hash: null }, { ...REFUSAL, retryAfterSeconds: 1 });
    expect(rejections.list().transactions).toEqual([]);
  });

  test("keep no more of a long reason in memory than they show", () => {
    const rejections = world();
    const before = heapBytes();
    for (let i = 0; i < MAX_REJECTED; i++) {
      const reason = Buffer.alloc(1 << 20, 0x61 + (i % 26)).toString("latin1");
      rejections.refused({ sender: 0x7n, hash: null }, { ...REFUSAL, reason });
    }
    expect(heapBytes() - before).toBeLessThan(10 << 20);
    expect(rejections.list().transactions).toHaveLength(MAX_REJECTED);
  });

  test("beyond the bound displace the oldest ones", () => {
    const rejections = world();
    const all = Array.from({ length: 3 * MAX_REJECTED }, (_, i) => rejection(i));
    rejections.rejected(all.slice(0, 2 * MAX_REJECTED));
    for (const each of all.slice(2 * MAX_REJECTED)) rejections.rejected([each]);
    const { transactions } = rejections.list();
    expect(transactions.length).toBe(MAX_REJECTED);
    expect(transactions[0]?.hash).toBe(BigInt(3 * MAX_REJECTED - 1));
    expect(transactions.at(-1)?.hash).toBe(BigInt(2 * MAX_REJECTED));
  });

  test("keep the start of a long reason", () => {
    const rejections = world();
    rejections.rejected([{ ...rejection(1), reason: "x".repeat(1_000_000) }]);
    expect(rejections.list().transactions[0]?.reason.length).toBe(MAX_REASON_LENGTH + 1);
  });
});

describe("blocks", () => {
  test("that are refused again are counted, and come first", () => {
    const rejections = world();
    const first = { check: "state_root", blockNumber: 5, message: "other root" } as const;
    rejections.refusedBlock(first, "a.example");
    rejections.refusedBlock({ check: "form", blockNumber: null, message: "no JSON" }, "a.example");
    rejections.refusedBlock(null, "a.example");
    rejections.refusedBlock({ ...first, blockHash: 0xabn }, "b.example");
    expect(rejections.refusedBlocks()).toEqual([
      {
        blockNumber: 5,
        blockHash: 0xabn,
        check: "state_root",
        reason: "other root",
        source: "b.example",
        count: 2,
        unixMs: 3,
      },
      {
        blockNumber: null,
        blockHash: null,
        check: "form",
        reason: "no JSON",
        source: "a.example",
        count: 1,
        unixMs: 2,
      },
    ]);
  });

  test("beyond the bound displace the oldest ones", () => {
    const rejections = world();
    for (let blockNumber = 0; blockNumber < 2 * MAX_REFUSED_BLOCKS; blockNumber++) {
      rejections.refusedBlock({ check: "signature", blockNumber, message: "none" }, "a.example");
    }
    const numbers = rejections.refusedBlocks().map(({ blockNumber }) => blockNumber);
    expect([numbers.length, numbers[0]]).toEqual([MAX_REFUSED_BLOCKS, 2 * MAX_REFUSED_BLOCKS - 1]);
  });
});
