/**
 * Prints processor time and steps per second of heavy calls of a compiled contract
 * (test/contracts/bench), executed as by `starknet_call`; then the ratio of time to work, which
 * should be constant.
 *
 * Run with `bun test/bench/calls.bench.ts [NAME...]`, where `linear` selects the latter, which
 * takes two and a half gigabytes; `RUNS` sets another number of runs than 9.
 */
import { cpus } from "node:os";
import { createCairoVm } from "#engine/cairo/index.ts";
import { buildKernels } from "../../scripts/kernels.ts";
import { BENCH_FUNCTIONS, type BenchFunction, callBench } from "../helpers/bench-contract.ts";
import { median } from "./pairs.ts";

/** Rounds of each function. */
const ROUNDS: Readonly<Record<BenchFunction, number>> = {
  fib: 335_300,
  pedersen: 5_000,
  poseidon: 5_000,
  poseidon_span: 10_000,
  u256_mul: 5_000,
  dict: 40_000,
  keccak: 300,
  secp256k1: 50,
  sha256: 200,
  array: 50_000,
  structs: 20_000,
};

/** Measurements of linearity: depths of a recursion, and number of calls of each per figure. */
const LINEAR: readonly (readonly [depth: number, calls: number])[] = [
  [500, 400],
  [5_000, 40],
  [50_000, 4],
  [300_000, 1],
  [1_000_000, 1],
  [2_950_000, 1],
];

const RUNS = Number(process.env["RUNS"] ?? 9);

await buildKernels(["vm"]);
const vm = createCairoVm({ maxMemoryBytes: 3 * 2 ** 30, maxSpanBytes: 2 ** 32 });

function cpuMs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Median and best processor time of a call, in milliseconds, and its steps. */
async function measure(name: BenchFunction, rounds: number, calls: number) {
  const times: number[] = [];
  let steps = 0;
  for (let i = 0; i <= RUNS; i++) {
    const ms = cpuMs(() => {
      for (let call = 0; call < calls; call++) steps = callBench(name, rounds, vm).steps;
    });
    if (i > 0) times.push(ms / calls);
    // The machine releases memory between runs.
    await Bun.sleep(0);
  }
  return { median: median(times), best: Math.min(...times), steps };
}

async function printCall(name: BenchFunction, rounds: number, calls = 1): Promise<number> {
  const { median: ms, best, steps } = await measure(name, rounds, calls);
  const cells = [
    `${name}(${rounds})`.padEnd(22),
    `${steps} steps`.padStart(15),
    `${ms.toFixed(2)} ms`.padStart(12),
    `best ${best.toFixed(2)}`.padStart(14),
    `${(steps / ms / 1000).toFixed(1)} M steps/s`.padStart(18),
  ];
  console.log(cells.join(""));
  return (best * 1e6) / steps;
}

const named = process.argv.slice(2);
const isAsked = (name: string): boolean => named.length === 0 || named.includes(name);
console.log(cpus()[0]?.model);
for (const name of BENCH_FUNCTIONS) if (isAsked(name)) await printCall(name, ROUNDS[name]);
if (isAsked("linear")) {
  const nsPerStep: number[] = [];
  for (const [depth, calls] of LINEAR) nsPerStep.push(await printCall("fib", depth, calls));
  const ratio = Math.max(...nsPerStep) / Math.min(...nsPerStep);
  console.log(`slowest step / fastest step from 10 k to 50 M steps: ${ratio.toFixed(2)}`);
}
