import { expect, test } from "bun:test";
import { resolve } from "node:path";

/** More than the engine can let grow in place; a node has two for each thread. */
const OTHER_MEMORIES = 16;

/** A machine's first run takes 10 MB to 30 MB; its address space exceeds a thousand. */
const MAX_MB = 200;

const PROGRAM = `
const others = Array.from({ length: ${OTHER_MEMORIES} }, () => new WebAssembly.Memory({ initial: 1, maximum: 100 }));
const { createCairoVm } = await import("#engine/cairo/index.ts");
const { callHostile } = await import("#test/helpers/hostile-chain.ts");
const { record } = await import("./test/contracts/hostile/contract.ts");
const before = process.memoryUsage.rss();
const { kind } = callHostile(record("steps", { count: 1 }), createCairoVm());
const mb = (process.memoryUsage.rss() - before) / 2 ** 20;
console.log(JSON.stringify({ kind, mb, others: others.length }));
`;

test("a machine in a process with many others only takes the memory that it uses", () => {
  const root = resolve(import.meta.dir, "../../../..");
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", PROGRAM], { cwd: root });
  expect(stderr.toString()).toBe("");
  const { kind, mb } = JSON.parse(stdout.toString()) as { kind: string; mb: number };
  expect(kind).toBe("ok");
  expect(mb).toBeLessThan(MAX_MB);
}, 60_000);
