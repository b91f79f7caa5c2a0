/**
 * Prints steps per second of the Cairo machine: loops of five million steps, recursion (which is
 * memory-bound), the slow path, and microseconds of small complete calls.
 *
 * Run with `bun test/bench/vm.bench.ts`; `--json` prints one JSON object instead of the table.
 */
import { cpus } from "node:os";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CasmClass } from "#protocol/chain/index.ts";
import { buildKernels } from "../../scripts/kernels.ts";
import { runReference } from "../helpers/reference/vm/machine.ts";
import { SHARED } from "../helpers/shared.ts";
import {
  classOf,
  felt,
  jumpIf,
  push,
  pushPlus,
  runBytecode,
} from "#test/unit/engine/cairo/assembler.ts";
import { FIBONACCI } from "#test/unit/engine/cairo/memory-programs.ts";
import { recordedCalls, runCall } from "#test/unit/engine/cairo/calls.ts";

interface Row {
  readonly name: string;
  readonly steps: number;
  /** Figures of the fastest run and of the median one. */
  readonly best: number;
  readonly median: number;
  readonly unit: "M steps/s" | "us/call";
}

await buildKernels(["vm"]);

const LOOP_STEPS = 5_000_000;
const RUNS = 12;

/** Counts down: two steps a round, one cell. */
const COUNTER = classOf([...push(10n ** 9n), ...pushPlus(-1, felt(-1n)), ...jumpIf(-1, -2)]);

function seconds(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}

function loop(name: string, casm: CasmClass, steps: number, slowPath = false): Row {
  const vm = createCairoVm({ slowPath });
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    times.push(
      seconds(() => {
        const outcome = runBytecode(casm, { maxSteps: steps, countHoles: false }, vm);
        if (outcome.kind !== "out_of_steps") throw new TypeError(`ended as ${outcome.kind}`);
      }),
    );
  }
  return stepsRow(name, steps, times);
}

function stepsRow(name: string, steps: number, times: number[]): Row {
  times.sort((a, b) => a - b);
  const rate = (time: number | undefined): number => steps / (time ?? 1) / 1e6;
  return {
    name,
    steps,
    best: rate(times[0]),
    median: rate(times[times.length >> 1]),
    unit: "M steps/s",
  };
}

function reference(): Row {
  const steps = 20_000;
  const call = { casm: COUNTER, entryPointOffset: 0, builtins: [], gas: 0n, calldata: [] };
  const run = () => void runReference({ ...call, builtinCosts: [], maxSteps: steps });
  return stepsRow("counter, BigInt reference", steps, [seconds(run), seconds(run), seconds(run)]);
}

/** Compiled code of the published test contract. */
function compiled(): Row[] {
  if (SHARED === undefined) return [];
  const vm = createCairoVm({ maxMemoryBytes: 512 * 2 ** 20 });
  const calls = recordedCalls("builtins_0_14_4");
  const rows: Row[] = [];
  const recursion = calls.find(({ name }) => name === "recurse 1000");
  for (const depth of recursion === undefined ? [] : [3000n, 300_000n]) {
    const call = { ...(recursion as NonNullable<typeof recursion>), initialGas: 10n ** 15n };
    let steps = 0;
    const times = Array.from({ length: depth > 10_000n ? RUNS : 300 }, () =>
      seconds(() => {
        const outcome = runCall(vm, call, [depth]);
        if (outcome.kind === "returned") steps = outcome.resources.steps;
      }),
    );
    rows.push(stepsRow(`compiled recursion, depth ${depth}`, steps, times));
  }
  for (const name of ["return_result", "test_pedersen", "test_ecop", "test_segment_arena"]) {
    const call = calls.find((each) => each.name === name);
    if (call === undefined) continue;
    const times = Array.from({ length: 2000 }, () => seconds(() => void runCall(vm, call)));
    times.sort((a, b) => a - b);
    const [best = 0, median = 0] = [times[0], times[times.length >> 1]].map(
      (time) => (time ?? 0) * 1e6,
    );
    const outcome = runCall(vm, call);
    const steps = outcome.kind === "returned" ? outcome.resources.steps : 0;
    rows.push({ name: `call of ${name}`, steps, best, median, unit: "us/call" });
  }
  return rows;
}

const rows = [
  loop("counter loop", COUNTER, LOOP_STEPS),
  loop("counter loop, 100 k steps", COUNTER, 100_000),
  loop("Fibonacci loop", FIBONACCI, LOOP_STEPS),
  loop("counter loop, slow path", COUNTER, 1_000_000, true),
  reference(),
  ...compiled(),
];

if (process.argv.includes("--json")) {
  process.stdout.write(`${JSON.stringify({ cpu: cpus()[0]?.model, rows })}\n`);
} else {
  process.stdout.write(`${cpus()[0]?.model}\n`);
  for (const { name, steps, best, median, unit } of rows) {
    const figures = `${best.toFixed(1).padStart(8)} best ${median.toFixed(1).padStart(8)} median`;
    process.stdout.write(
      `${name.padEnd(36)}${String(steps).padStart(9)} steps${figures} ${unit}\n`,
    );
  }
}
