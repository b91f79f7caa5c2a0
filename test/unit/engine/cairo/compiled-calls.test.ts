import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCairoVm, type RunOutcome } from "#engine/cairo/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { benchClass, type BenchFunction } from "#test/helpers/bench-contract.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { runReference } from "#test/helpers/reference/vm/machine.ts";
import { NO_SYSCALLS } from "./no-syscalls.ts";

const fast = createCairoVm();
const slow = createCairoVm({ slowPath: true });
const { casm } = benchClass();

/** Entry points that make no syscalls. */
const FUNCTIONS: readonly BenchFunction[] = [
  "fib",
  "pedersen",
  "poseidon",
  "poseidon_span",
  "u256_mul",
  "dict",
  "array",
  "structs",
];
const COSTS = [4050n, 583n, 4085n, 491n, 230n, 604n, 3334n];

interface Call {
  readonly name: BenchFunction;
  readonly rounds: bigint;
  readonly gas: bigint;
  readonly maxSteps: number;
  readonly countHoles: boolean;
}

function entryOf(name: BenchFunction) {
  const selector = selectorFromName(name);
  const entry = casm.entryPoints.EXTERNAL.find((each) => each.selector === selector);
  if (entry === undefined) throw new TypeError(`no ${name}`);
  return { entryPointOffset: entry.offset, builtins: entry.builtins };
}

function run(vm: typeof fast, { name, rounds, gas, maxSteps, countHoles }: Call): RunOutcome {
  return vm.run({
    ...entryOf(name),
    program: vm.prepare(casm),
    gas,
    calldata: [rounds],
    builtinCosts: COSTS,
    maxSteps,
    countHoles,
    host: NO_SYSCALLS,
  });
}

const anyCall = fc.record({
  name: fc.constantFrom(...FUNCTIONS),
  rounds: fc.bigInt(0n, 30n),
  // Some calls run out of gas, some out of steps, at any position.
  gas: fc.oneof(fc.constant(10n ** 10n), fc.bigInt(0n, 300_000n)),
  maxSteps: fc.oneof(fc.constant(20_000), fc.integer({ min: 1, max: 4000 })),
  countHoles: fc.boolean(),
});

describe("code compiled from Cairo", () => {
  test("ends alike on the fast path, the slow path and the reference machine", () => {
    assertProperty(
      fc.property(anyCall, (call) => {
        const outcome = run(fast, call);
        expect<RunOutcome>(run(slow, call)).toEqual(outcome);
        const expected = runReference({
          ...entryOf(call.name),
          casm,
          gas: call.gas,
          calldata: [call.rounds],
          builtinCosts: COSTS,
          maxSteps: call.maxSteps,
        });
        if (expected.kind !== "returned") {
          expect(outcome.kind).not.toBe("returned");
          return;
        }
        if (outcome.kind !== "returned") throw new TypeError(`ended as ${outcome.kind}`);
        const { steps, memoryHoles: holes, builtins } = outcome.resources;
        const { panicked, gasLeft } = outcome;
        const retdata = outcome.retdata.toArray();
        const found = { kind: "returned", panicked, retdata, gasLeft, steps, holes, builtins };
        expect<unknown>(found).toEqual({
          ...expected,
          retdata: [...expected.retdata],
          holes: call.countHoles ? expected.holes : 0,
        });
      }),
      { numRuns: 120 },
    );
  });

  test("stops after exactly the maximum number of steps", () => {
    for (const name of FUNCTIONS) {
      for (let maxSteps = 1; maxSteps <= 400; maxSteps++) {
        const call = { name, rounds: 3n, gas: 10n ** 10n, maxSteps, countHoles: true };
        const outcome = run(fast, call);
        if (outcome.kind === "returned") break;
        expect([name, outcome.kind]).toEqual([name, "out_of_steps"]);
        expect<RunOutcome>(outcome).toEqual(run(slow, call));
        if (outcome.kind === "out_of_steps") expect(outcome.resources.steps).toBe(maxSteps);
      }
    }
  });
});
