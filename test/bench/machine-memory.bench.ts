/**
 * Prints the processor time of a step of the Cairo machine, from one million to fifty million steps
 * of programs that fill memory: the first run of a size uses new pages, later ones the pages that
 * the machine has kept. Then prints resident memory after thirty idle seconds.
 *
 * Run with `bun test/bench/machine-memory.bench.ts`.
 */
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CasmClass } from "#protocol/chain/index.ts";
import { buildKernels } from "../../scripts/kernels.ts";
import { runBytecode } from "#test/unit/engine/cairo/assembler.ts";
import { FIBONACCI, settingKeys } from "#test/unit/engine/cairo/memory-programs.ts";

await buildKernels(["vm"]);

const STEPS = [1, 2, 5, 10, 20, 50];
const RUNS = 5;
const IDLE_MS = 30_000;

/** Keys of the dictionary. */
const KEYS = 2n ** 14n;

function cpuNs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1000;
}

const vm = createCairoVm();
const rssMib = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);
const line = (text: string): void => void process.stdout.write(`${text}\n`);

async function measure(name: string, casm: CasmClass): Promise<void> {
  const best: number[] = [];
  for (const millions of STEPS) {
    const maxSteps = millions * 1e6;
    const times: number[] = [];
    for (let i = 0; i <= RUNS; i++) {
      times.push(
        cpuNs(() => {
          const options = { maxSteps, countHoles: false, builtins: ["segment_arena"] as const };
          const { kind } = runBytecode(casm, options, vm);
          if (kind !== "out_of_steps") throw new TypeError(`ended as ${kind}`);
        }) / maxSteps,
      );
      await Bun.sleep(0);
    }
    const [first = 0, ...next] = times;
    best.push(Math.min(...next));
    const figures = `${first.toFixed(1)} ns a step first, ${Math.min(...next).toFixed(1)} next`;
    line(`${name}, ${millions} M steps: ${figures}; resident ${rssMib()} MiB`);
  }
  line(
    `${name}: slowest size / fastest size ${(Math.max(...best) / Math.min(...best)).toFixed(2)}`,
  );
}

await measure("fib", FIBONACCI);
await measure("dict", settingKeys(KEYS));
await Bun.sleep(IDLE_MS);
line(`resident after ${IDLE_MS / 1000} idle seconds: ${rssMib()} MiB`);
