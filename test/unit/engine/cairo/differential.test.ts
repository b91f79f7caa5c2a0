import { describe, expect } from "bun:test";
import fc from "fast-check";
import { createCairoVm, type RunOutcome } from "#engine/cairo/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { type ReferenceOutcome, runReference } from "#test/helpers/reference/vm/machine.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { ENTRY_BUDGET, recordedCalls, type RecordedCall, runCall } from "./calls.ts";

const fast = createCairoVm();
const slow = createCairoVm({ slowPath: true });

/** Limit that keeps the reference machine fast. */
const MAX_STEPS = 20_000;

function reference(call: RecordedCall, calldata: readonly bigint[]): ReferenceOutcome {
  return runReference({
    ...call,
    gas: call.initialGas - ENTRY_BUDGET,
    calldata,
    maxSteps: MAX_STEPS,
  });
}

/** Outcome without details that only one of the machines reports. */
function comparable(outcome: RunOutcome): unknown {
  if (outcome.kind === "cancelled" || outcome.kind === "out_of_memory") return outcome;
  const { steps, memoryHoles, builtins } = outcome.resources;
  if (outcome.kind !== "returned") return { kind: "failed", pc: outcome.failure.pc, steps };
  const { panicked, gasLeft } = outcome;
  const retdata = outcome.retdata.toArray();
  return { kind: "returned", panicked, retdata, gasLeft, steps, holes: memoryHoles, builtins };
}

function comparableReference(outcome: ReferenceOutcome): unknown {
  if (outcome.kind !== "failed") return outcome;
  return { kind: "failed", pc: outcome.pc, steps: outcome.steps };
}

/** One call per class and entry point. */
function distinctCalls(): RecordedCall[] {
  const calls = new Map<string, RecordedCall>();
  const scenarios = ["builtins_0_14_4", ...[0, 1, 2, 3].map((part) => `sweep_0_14_0_${part}`)];
  for (const call of scenarios.flatMap(recordedCalls)) {
    calls.set(`${call.classHash} ${call.entryPointOffset}`, call);
  }
  return [...calls.values()];
}

describe("the kernel and the BigInt reference machine", () => {
  sharedTest("agree on recorded calls", () => {
    let compared = 0;
    for (const call of distinctCalls()) {
      const expected = reference(call, call.calldata);
      if (expected.kind === "unsupported") continue;
      compared++;
      const outcome = runCall(fast, call, call.calldata, MAX_STEPS);
      expect([call.name, comparable(outcome)]).toEqual([call.name, comparableReference(expected)]);
    }
    expect(compared).toBeGreaterThan(60);
  });

  sharedTest("agree on arbitrary calldata, failures included", () => {
    const felt = fc.oneof(
      fc.bigInt(0n, 5n),
      fc.bigInt(0n, (1n << 128n) + 1n),
      fc.bigInt(0n, FIELD_PRIME - 1n),
      fc.bigInt(1n, 300n).map((value) => FIELD_PRIME - value),
    );
    const calls = distinctCalls();
    const anyCall = fc.constantFrom(...calls);
    assertProperty(
      fc.property(anyCall, fc.array(felt, { maxLength: 8 }), (call, calldata) => {
        const outcome = runCall(fast, call, calldata, MAX_STEPS);
        expect(runCall(slow, call, calldata, MAX_STEPS)).toEqual(outcome);
        if (outcome.kind === "out_of_memory") return;
        const expected = reference(call, calldata);
        if (expected.kind === "unsupported") return;
        if (outcome.kind === "failed") {
          // Syscalls fail here and are unknown to the reference machine.
          if (outcome.failure.message === "no syscalls here") return;
        }
        expect(comparable(outcome)).toEqual(comparableReference(expected));
      }),
      { numRuns: 150 },
    );
  });
});
