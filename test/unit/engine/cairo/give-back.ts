/**
 * Prints, in MiB of resident memory: what a run takes that passes over 20 M cells, the most after runs
 * that fill 256 MiB each, and what is left a moment later.
 */
import { createCairoVm } from "#engine/cairo/index.ts";
import { runBytecode } from "./assembler.ts";
import { FILLING, PASSING_OVER, stepsFor } from "./memory-programs.ts";

const LEFT_MIB = 150;

const rssMib = (): number => process.memoryUsage().rss / 2 ** 20;
const vm = createCairoVm();
Bun.gc(true);
const before = rssMib();
const grown = (): number => rssMib() - before;

runBytecode(PASSING_OVER, { maxSteps: stepsFor(20_000_000) }, vm);
const passedOver = grown();
let most = 0;
for (let i = 0; i < 3; i++) {
  runBytecode(FILLING, { maxSteps: 16_000_000 }, vm);
  most = Math.max(most, grown());
}
// The engine gives pages back in a thread of its own.
for (let i = 0; i < 100 && grown() >= LEFT_MIB; i++) await Bun.sleep(100);
process.stdout.write(JSON.stringify([passedOver, most, grown()]));
