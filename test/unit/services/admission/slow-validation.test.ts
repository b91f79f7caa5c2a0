import { describe, expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { encodeTransaction } from "#protocol/chain/index.ts";
import {
  decodeSlowValidation,
  encodeSlowValidation,
  slowValidationOf,
} from "#services/admission/slow-validation.ts";
import { validateSlowly } from "#services/admission/slow-validator.ts";
import { TimeBudget } from "#services/admission/time-budget.ts";
import { validateTransaction, type ValidationOutcome } from "#engine/execution/index.ts";
import { hostileInvoke, hostileState } from "#test/helpers/hostile-chain.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";
import { record } from "#test/contracts/hostile/contract.ts";

const ENDLESS = 2n ** 40n;
const block = transferBlock({ limits: {} }, 10_000_000);

/** Verdict of another thread on an invoke whose `__validate__` runs `calldata`. */
function validate(calldata: readonly bigint[]) {
  const parts = {
    vm: createCairoVm(),
    chainId: block.chainId,
    chargeFees: false,
    pending: () => ({ info: block.info, state: hostileState() }),
    contextOf: () => block,
    isImpersonatedAccount: () => false,
    noted: (outcome: ValidationOutcome) => outcome,
  };
  const bytes = encodeTransaction(hostileInvoke(calldata));
  return decodeSlowValidation(
    validateSlowly(parts, bytes, { isSenderUndeployed: false, codeSize: 0 }),
  );
}

describe("a validation on another thread", () => {
  test("accepts, with a result that the executor can reuse", () => {
    const validation = validate([...record("steps", { count: 10 }), ...record("steps")]);
    expect(validation.kind).toBe("valid");
    expect(validation.kind === "valid" && validation.prevalidated?.length).toBeGreaterThan(100);
  });

  test("rejects with the account's reason", () => {
    const validation = validate(record("steps", { count: 1, fails: true }));
    expect(validation).toMatchObject({ kind: "refused", code: "VALIDATION_FAILURE" });
    expect(validation.kind === "refused" && validation.reason).toContain("asked to fail");
  });
});

test("ends as cancelled when its time budget is over", () => {
  const budget = new TimeBudget(() => performance.now());
  const vm = createCairoVm({ isOver: () => budget.isOver });
  const hashed = hostileInvoke(record("pedersen", { count: ENDLESS }));
  const run = (limitMs: number) =>
    budget.run(limitMs, () =>
      validateTransaction(vm, hostileState(), block, hashed, { chargeFee: false }),
    );
  expect(run(20).kind).toBe("cancelled");
  expect(run(60_000).kind).toBe("rejected");
});

test("becomes a refusal when it is cancelled at the deadline", () => {
  expect(slowValidationOf({ kind: "cancelled" })).toMatchObject({
    kind: "refused",
    code: "VALIDATION_FAILURE",
  });
});

test("encodes and decodes results without reuse, and reasons with any characters", () => {
  for (const validation of [
    { kind: "valid", prevalidated: null },
    { kind: "refused", code: "VALIDATION_FAILURE", reason: "é\u0000\n" },
  ] as const) {
    expect(decodeSlowValidation(encodeSlowValidation(validation))).toEqual(validation);
  }
});
