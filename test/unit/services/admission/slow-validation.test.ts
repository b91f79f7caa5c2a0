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

/** What another thread says of an invoke whose `__validate__` runs `calldata`. */
function validate(calldata: readonly bigint[]) {
  const parts = {
    vm: createCairoVm(),
    chainId: block.chainId,
    chargeFees: false,
    pending: () => ({ info: block.info, state: hostileState() }),
    contextOf: () => block,
    impersonates: () => false,
    noted: (outcome: ValidationOutcome) => outcome,
  };
  const bytes = encodeTransaction(hostileInvoke(calldata));
  return decodeSlowValidation(
    validateSlowly(parts, bytes, { senderIsToBeDeployed: false, codeSize: 0 }),
  );
}

describe("a validation on another thread", () => {
  test("accepts, with what the executor need not compute again", () => {
    const validation = validate([...record("steps", { count: 10 }), ...record("steps")]);
    expect(validation.kind).toBe("valid");
    expect(validation.kind === "valid" && validation.prevalidated?.length).toBeGreaterThan(100);
  });

  test("refuses with the account's reason", () => {
    const validation = validate(record("steps", { count: 1, fails: true }));
    expect(validation).toMatchObject({ kind: "refused", code: "VALIDATION_FAILURE" });
    expect(validation.kind === "refused" && validation.reason).toContain("asked to fail");
  });
});

test("a validation that is not over when its time is ends as cancelled", () => {
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

test("one that runs into the deadline is refused", () => {
  expect(slowValidationOf({ kind: "cancelled" })).toMatchObject({
    kind: "refused",
    code: "VALIDATION_FAILURE",
  });
});

test("bytes and back: nothing to reuse, and a reason with any characters", () => {
  for (const validation of [
    { kind: "valid", prevalidated: null },
    { kind: "refused", code: "VALIDATION_FAILURE", reason: "é\u0000\n" },
  ] as const) {
    expect(decodeSlowValidation(encodeSlowValidation(validation))).toEqual(validation);
  }
});
