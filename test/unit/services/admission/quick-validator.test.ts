import { expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { type BlockContext } from "#engine/execution/index.ts";
import type { PendingOverlay } from "#engine/state/index.ts";
import { ExecutionGuard } from "#services/admission/execution-guard.ts";
import { QuickValidator, VALIDATION_LIMIT_MS } from "#services/admission/quick-validator.ts";
import { TimeBudget } from "#services/admission/time-budget.ts";
import { ValidationBlock } from "#services/admission/validation-block.ts";
import { hostileInvoke, hostileState } from "#test/helpers/hostile-chain.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";
import { record } from "#test/contracts/hostile/contract.ts";

const ENDLESS = 2n ** 40n;
const block = transferBlock({ limits: {} }, 10_000_000);

/** Advance of the clock at each read. */
const STEP_MS = 50;

/** Resource bound that allows a fee. */
const BOUND = { maxAmount: 10n ** 9n, maxPricePerUnit: 10n ** 15n };
const BOUNDS = { l1Gas: BOUND, l2Gas: BOUND, l1DataGas: BOUND };

/** Validator whose clock advances at each read. */
function validator({ chargeFees = false, contextOf = (): BlockContext => block } = {}) {
  const journal: string[] = [];
  const clock = { nowMs: 0 };
  const budget = new TimeBudget(() => {
    clock.nowMs += STEP_MS;
    return clock.nowMs;
  });
  const guard = new ExecutionGuard({
    begin: (hash, attempt) => void journal.push(`begin ${hash} ${attempt}`),
    end: () => void journal.push("end"),
    died: (cause) => void journal.push(`died ${cause}`),
  });
  const created = new QuickValidator({
    vm: createCairoVm({ isOver: () => budget.isOver }),
    budget,
    guard,
    block: new ValidationBlock({ nextBlockInfo: () => block.info, nowMs: () => 0 }),
    contextOf,
    chargeFees,
  });
  const overlay = {
    state: () => hostileState(),
    newest: () => undefined,
    acceptedNumber: 1,
  } as unknown as PendingOverlay;
  const validate = (calldata: readonly bigint[], isImpersonated = false) => {
    const { transaction } = hostileInvoke(calldata);
    const invoke = { ...transaction, resourceBounds: BOUNDS };
    return created.validate({ hash: 77n, transaction: invoke }, overlay, false, isImpersonated);
  };
  return { validate, journal, clock };
}

test("journals the transaction's hash during validation", () => {
  const { validate, journal } = validator();
  expect(validate(record("steps", { count: 10 })).kind).toBe("valid");
  expect(journal).toEqual(["begin 77 1", "end"]);
});

test("cancels a validation at its time limit", () => {
  const { validate, clock, journal } = validator();
  expect(validate(record("pedersen", { count: ENDLESS })).kind).toBe("cancelled");
  // The time began with the first read.
  expect(clock.nowMs).toBe(STEP_MS + VALIDATION_LIMIT_MS);
  expect(VALIDATION_LIMIT_MS).toBe(150);
  expect(journal).toEqual(["begin 77 1", "end"]);
});

test("checks the balance if fees are charged", () => {
  const outcome = validator({ chargeFees: true }).validate(record("steps", { count: 10 }));
  expect(outcome).toMatchObject({ kind: "rejected", error: { code: "INSUFFICIENT_BALANCE" } });
});

test("leaves the journal entry if the machine fails", () => {
  const { validate, journal } = validator({
    contextOf: () =>
      new Proxy(block, {
        get(target, key) {
          if (key === "constants") throw new RangeError("broken");
          return Reflect.get(target, key);
        },
      }),
  });
  expect(() => validate(record("steps", { count: 10 }))).toThrow("broken");
  expect(journal).toEqual(["begin 77 1", "died broken"]);
});

test("executes no code of an impersonated account", () => {
  const { validate, journal } = validator();
  const failing = record("steps", { count: 1, fails: true });
  expect(validate(failing).kind).toBe("rejected");
  expect(validate(failing, true)).toMatchObject({ kind: "valid", skipped: true });
  expect(validate(record("pedersen", { count: ENDLESS }), true).kind).toBe("valid");
  expect(journal).toHaveLength(6);
});

test("also checks the balance of an impersonated account", () => {
  const outcome = validator({ chargeFees: true }).validate(record("steps", { count: 10 }), true);
  expect(outcome).toMatchObject({ kind: "rejected", error: { code: "INSUFFICIENT_BALANCE" } });
});
