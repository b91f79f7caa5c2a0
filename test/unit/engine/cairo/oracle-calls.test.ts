import { describe, expect } from "bun:test";
import { createCairoVm, type RunOutcome } from "#engine/cairo/index.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { recordedCalls, type RecordedCall, runCall } from "./calls.ts";

const SCENARIOS = [
  "builtins_0_13_1",
  "builtins_0_13_4",
  "builtins_0_14_0",
  "builtins_0_14_4",
  ...[0, 1, 2, 3].flatMap((part) => [`sweep_0_13_2_${part}`, `sweep_0_14_0_${part}`]),
  "syscalls_0_14_4",
  "syscalls_cairo_steps_0_14_4",
];

const machines = { fast: createCairoVm(), slow: createCairoVm({ slowPath: true }) };

/** The outcome in the format of a result file. */
function summary(call: RecordedCall, outcome: RunOutcome): unknown {
  if (outcome.kind !== "returned") return outcome;
  const { resources } = outcome;
  const { segment_arena: _arena, ...builtins } = resources.builtins;
  const blake = outcome.blakeCount > 0 ? { blake_opcode: outcome.blakeCount } : {};
  return {
    failed: outcome.panicked,
    result: outcome.retdata.toArray(),
    gas: call.isSierraGas ? call.initialGas - outcome.gasLeft : 0n,
    steps: call.isSierraGas ? 0 : resources.steps,
    memoryHoles: call.isSierraGas ? 0 : resources.memoryHoles,
    builtins: { ...builtins, ...blake },
  };
}

describe.each(Object.entries(machines))("calls without syscalls on the %s machine", (_, vm) => {
  for (const scenario of SCENARIOS) {
    sharedTest(`${scenario}: result, gas, steps, holes and builtins match the recording`, () => {
      for (const call of recordedCalls(scenario)) {
        const found = summary(call, runCall(vm, call));
        const expected: unknown = {
          failed: call.failed,
          result: call.result,
          gas: call.gasConsumed,
          steps: call.steps,
          memoryHoles: call.memoryHoles,
          builtins: call.primitiveCounters,
        };
        expect([call.name, found]).toEqual([call.name, expected]);
      }
    });
  }
});
