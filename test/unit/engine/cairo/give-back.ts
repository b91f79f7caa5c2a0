/**
 * Prints, in MiB of resident memory: the use of a run that passes over 110 M cells, the maximum
 * after runs that fill 256 MiB each, and the rest after the machine's retention time.
 */
import { createCairoVm } from "#engine/cairo/index.ts";
import { KEEP_MS } from "#engine/cairo/machine-keeper.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { runBytecode } from "./assembler.ts";
import { FILLING, PASSING_OVER, stepsFor } from "./memory-programs.ts";

const LEFT_MIB = 150;

const rssMib = (): number => process.memoryUsage.rss() / 2 ** 20;
const timer = new FakeTimer();
const vm = createCairoVm({ timer, maxSpanBytes: 2 ** 32 });
Bun.gc(true);
const before = rssMib();
const grown = (): number => rssMib() - before;

const outcome = runBytecode(PASSING_OVER, { maxSteps: stepsFor(110_000_000) }, vm);
const passedOver = grown();
let most = 0;
for (let i = 0; i < 3; i++) {
  runBytecode(FILLING, { maxSteps: 16_000_000 }, vm);
  most = Math.max(most, grown());
}
const kept = grown();
await Bun.sleep(0);
timer.advance(KEEP_MS);
// The engine returns pages in a background thread.
for (let i = 0; i < 100 && grown() >= LEFT_MIB; i++) await Bun.sleep(100);
process.stdout.write(
  JSON.stringify({ kind: outcome.kind, passedOver, most, kept, after: grown() }),
);
