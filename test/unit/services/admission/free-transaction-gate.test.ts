import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import type { AccountTransaction } from "#protocol/chain/index.ts";
import {
  FreeTransactionGate,
  type FreeTransactionGateDeps,
  SWEEP_STEP,
} from "#services/admission/free-transaction-gate.ts";
import { MAX_BOOTSTRAP_DECLARES, NOT_FREE } from "#services/admission/free-transactions.ts";
import { freedomOf } from "#services/admission/mempool-entry.ts";
import { Mempool } from "#services/admission/mempool/index.ts";
import type { Departure } from "#services/admission/rejection-reasons.ts";
import { mempoolEntry } from "#test/helpers/mempool-entry.ts";
import { memoryMempoolStore } from "#test/helpers/memory-mempool-store.ts";
import { emptyDeclare, emptyInvoke, WIDE_LIMITS } from "#test/helpers/mempool-world.ts";

const TOKEN = 7n;
const AMOUNT = { maxAmount: 9n, maxPricePerUnit: 0n };
const FREE: AccountTransaction = {
  ...emptyInvoke(1n, 0n),
  resourceBounds: { l1Gas: AMOUNT, l2Gas: AMOUNT, l1DataGas: AMOUNT },
};
const BOOTSTRAP: AccountTransaction = {
  ...emptyDeclare(feltFromShortString("BOOTSTRAP"), 0n),
  resourceBounds: { l1Gas: AMOUNT, l2Gas: AMOUNT, l1DataGas: AMOUNT },
};
const DECLARED = mempoolEntry({ kind: "DECLARE", isFree: true, isBootstrap: true });

function world(parts: Partial<FreeTransactionGateDeps> = {}) {
  let tokenClass = 0n;
  const pool = new Mempool({ ...WIDE_LIMITS, maxTransactions: 10_000 });
  const store = memoryMempoolStore();
  const dropped: Departure[] = [];
  const free = new FreeTransactionGate({
    rules: { policy: "untilToken", nativeFeeToken: TOKEN },
    bootstrapDeclares: 0,
    pool,
    store,
    state: () => ({ classHashAt: (address) => (address === TOKEN ? tokenClass : 5n) }),
    isDurable: () => true,
    onDropped: (departures) => void dropped.push(...departures),
    nowMs: () => 1,
    ...parts,
  });
  const wait = (number: bigint, isFree: boolean) =>
    pool.add(
      mempoolEntry({
        hash: number,
        sender: number,
        nonce: 0n,
        ...(isFree ? { isFree: true } : {}),
      }),
      0n,
    );
  return {
    free,
    pool,
    store,
    dropped,
    wait,
    deploy: () => void (tokenClass = 1n),
    waiting: () => [...pool.waiting()].map(({ hash }) => hash),
  };
}

describe("free transactions", () => {
  test("are accepted until the native fee token has a contract", () => {
    const { free, deploy } = world();
    expect(free.refusalOf(freedomOf(FREE))).toBeUndefined();
    deploy();
    expect(free.refusalOf(freedomOf(FREE))).toEqual({
      kind: "rejected",
      code: "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
      reason: NOT_FREE,
    });
    expect(free.refusalOf(freedomOf(emptyInvoke(1n, 0n)))).toBeUndefined();
  });

  test('are rejected under the policy "never", and all accepted on a chain without fees', () => {
    const never = world({ rules: { policy: "never", nativeFeeToken: TOKEN } });
    expect(never.free.refusalOf(freedomOf(FREE))?.reason).toBe(NOT_FREE);
    const without = world({ rules: null });
    without.deploy();
    expect(without.free.refusalOf(freedomOf(FREE))).toBeUndefined();
    without.wait(1n, true);
    expect(without.free.sweep()).toBe(0);
  });

  test("in the mempool are then dropped with a reason; paid ones stay", () => {
    const { free, wait, deploy, waiting, dropped, store } = world();
    wait(1n, true);
    wait(2n, false);
    const entry = mempoolEntry({ isFree: true });
    expect([free.sweep(), free.mayExecute(entry)]).toEqual([0, true]);
    deploy();
    expect([free.mayExecute(entry), free.mayExecute(mempoolEntry({}))]).toEqual([false, true]);
    expect(free.sweep()).toBe(1);
    expect(waiting()).toEqual([2n]);
    expect(dropped).toMatchObject([{ hash: 1n, code: "NOT_FREE", reason: NOT_FREE }]);
    expect(store.rejectionOf(1n)?.reason).toBe(NOT_FREE);
  });

  test("are dropped stepwise, and others once they are durable or returned", () => {
    const volatile = new Set([1n]);
    const { free, wait, deploy, waiting, pool } = world({
      isDurable: (hash) => !volatile.has(hash),
    });
    for (let i = 1n; i <= BigInt(SWEEP_STEP) + 5n; i++) wait(i, true);
    pool.take(1, ({ hash }) => (hash === 2n ? 0 : null));
    deploy();
    expect([free.sweep(), free.sweep(), free.sweep()]).toEqual([SWEEP_STEP, 3, 0]);
    expect(waiting()).toEqual([1n]);
    volatile.clear();
    expect(free.sweep()).toBe(1);
    pool.requeue([2n]);
    free.returned([3n]);
    expect(free.sweep()).toBe(0);
    free.returned([2n]);
    expect(free.sweep()).toBe(1);
    expect(waiting()).toEqual([]);
  });
});

describe("unsigned bootstrap declarations", () => {
  test(`are limited to ${MAX_BOOTSTRAP_DECLARES}, including earlier ones`, () => {
    const { free } = world({ bootstrapDeclares: MAX_BOOTSTRAP_DECLARES - 2 });
    expect(free.refusalOf(freedomOf(BOOTSTRAP))).toBeUndefined();
    free.included(DECLARED);
    free.included(mempoolEntry({ kind: "DECLARE", isFree: true }));
    free.included(mempoolEntry({ isFree: true }));
    expect(free.refusalOf(freedomOf(BOOTSTRAP))).toBeUndefined();
    free.included(DECLARED);
    expect(free.refusalOf(freedomOf(BOOTSTRAP))?.code).toBe("INSUFFICIENT_RESOURCES_FOR_VALIDATE");
    expect(free.refusalOf(freedomOf(BOOTSTRAP))?.reason).toContain(
      "64 unsigned bootstrap declarations",
    );
    expect(free.refusalOf(freedomOf(FREE))).toBeUndefined();
  });

  test("end together with the free transactions", () => {
    const { free, deploy } = world();
    deploy();
    expect(free.refusalOf(freedomOf(BOOTSTRAP))?.reason).toBe(NOT_FREE);
  });
});
