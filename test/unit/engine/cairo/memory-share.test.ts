import { describe, expect, test } from "bun:test";
import {
  createCairoVm,
  createMemoryPermits,
  HostMemory,
  MemoryLimitReached,
  MemoryShare,
} from "#engine/cairo/index.ts";
import { BASE_HOST_BYTES, BASE_MEMORY_BYTES, memoryLimits } from "#engine/cairo/memory-limit.ts";
import { LAYOUT } from "#kernels/vm/index.ts";
import { classOf, encode, jump, push, returningCalldata, runBytecode } from "./assembler.ts";
import { FILLING, fillingSteps, PASSING_OVER, stepsFor } from "./memory-programs.ts";

const MIB = 2 ** 20;
const LIMITS = memoryLimits(768 * MIB);

/** Number of cells that separate frames, which a single frame may use. */
const GUARDS_CELLS = LAYOUT.GUARDS * 2 ** 16;

/** `call rel 2; [ap] = [ap - 2] + distance; ap++; [[ap - 1]] = [ap - 2]; jmp rel 0` */
function writingAhead(distance: number): ReturnType<typeof classOf> {
  return classOf([
    ...[encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), 2n],
    ...[encode({ off0: 0, off1: -2, off2: 1, flags: 0x4824 }), BigInt(distance)],
    encode({ off0: -2, off1: -1, off2: 0, flags: 0x4000 }),
    ...jump(0),
  ]);
}

function shareOf(permits?: Int32Array, isCancelled = () => false): MemoryShare {
  return new MemoryShare(LIMITS, permits, isCancelled);
}

describe("HostMemory", () => {
  test("allows exactly its limit", () => {
    const memory = new HostMemory(shareOf());
    expect(memory.tryTake(LIMITS.hostBytes)).toBe(true);
    expect(memory.tryTake(1)).toBe(false);
    memory.give(1);
    memory.take(1);
    expect(() => memory.take(1)).toThrow(MemoryLimitReached);
  });

  test("takes one permit above the base", () => {
    const permits = createMemoryPermits(1);
    const share = shareOf(permits);
    const memory = new HostMemory(share);
    memory.take(BASE_HOST_BYTES);
    expect(permits[0]).toBe(1);
    memory.take(1);
    expect(permits[0]).toBe(0);
    memory.take(LIMITS.hostBytes - BASE_HOST_BYTES - 1);
    expect(memory.tryTake(1)).toBe(false);
    share.lower();
    share.lower();
    expect(permits[0]).toBe(1);
  });

  test("stops waiting for a permit when it is cancelled", () => {
    const permits = createMemoryPermits(0);
    let looks = 0;
    const share = shareOf(permits, () => ++looks > 2);
    expect(share.raise()).toBe(false);
    expect(looks).toBe(3);
  });

  test("rejects more than the limit without taking a permit", () => {
    const permits = createMemoryPermits(0);
    expect(new HostMemory(shareOf(permits)).tryTake(LIMITS.hostBytes + 1)).toBe(false);
  });
});

describe("cell memory", () => {
  const base = BASE_MEMORY_BYTES / 32;

  test("takes a permit beyond the base until the run ends", () => {
    const permits = createMemoryPermits(1);
    const vm = createCairoVm({ maxSpanBytes: 2 ** 32, memoryPermits: permits });
    const seen: number[] = [];
    const host = {
      syscall: (_memory: unknown, frame: { segment: number; offset: number }) => {
        const maxSteps = fillingSteps(seen.length === 0 ? base / 2 : base * 2);
        runBytecode(FILLING, { maxSteps }, vm);
        seen.push(permits[0] ?? -1);
        return { kind: "done" as const, nextPtr: { ...frame, offset: frame.offset + 1 } };
      },
    };
    const hint = { SystemCall: { system: { Deref: { register: "FP", offset: -5 } } } };
    const next = {
      SystemCall: {
        system: {
          BinOp: { op: "Add", a: { register: "FP", offset: -5 }, b: { Immediate: "0x1" } },
        },
      },
    };
    const casm = classOf(returningCalldata([...push(1n), ...push(2n)]), { 0: [hint], 2: [next] });
    expect(runBytecode(casm, { host }, vm).kind).toBe("returned");
    expect(seen).toEqual([1, 0]);
    expect(permits[0]).toBe(1);
  });

  test("takes no permit to pass over memory", () => {
    const vm = createCairoVm({ maxSpanBytes: 2 ** 32, memoryPermits: createMemoryPermits(0) });
    const maxSteps = stepsFor(100_000_000);
    expect(runBytecode(PASSING_OVER, { maxSteps }, vm).kind).toBe("out_of_steps");
  });

  test("shares a permit that was taken for data", () => {
    const permits = createMemoryPermits(1);
    const vm = createCairoVm({ maxSpanBytes: 2 ** 32, memoryPermits: permits });
    const kinds: string[] = [];
    const host = {
      syscall: (_memory: unknown, frame: { segment: number; offset: number }) => {
        new HostMemory(vm.memory).take(BASE_HOST_BYTES + 1);
        kinds.push(runBytecode(FILLING, { maxSteps: fillingSteps(base * 2) }, vm).kind);
        return { kind: "done" as const, nextPtr: { ...frame, offset: frame.offset + 1 } };
      },
    };
    const hint = { SystemCall: { system: { Deref: { register: "FP", offset: -5 } } } };
    runBytecode(classOf(returningCalldata(push(1n)), { 0: [hint] }), { host }, vm);
    expect(kinds).toEqual(["out_of_steps"]);
    expect(permits[0]).toBe(1);
  });

  test("has the same limit with and without permits", () => {
    for (const memoryPermits of [undefined, createMemoryPermits(1)]) {
      const options = { maxMemoryBytes: 64 * MIB };
      const vm = createCairoVm(
        memoryPermits === undefined ? options : { ...options, memoryPermits },
      );
      const cells = (64 * MIB) / 32;
      const run = (count: number) =>
        runBytecode(FILLING, { maxSteps: fillingSteps(count) }, vm).kind;
      expect(run(cells - 1024)).toBe("out_of_steps");
      expect(run(cells)).toBe("out_of_memory");
      const pass = (count: number) =>
        runBytecode(PASSING_OVER, { maxSteps: stepsFor(count) }, vm).kind;
      expect(pass(cells * 4 - 30_001)).toBe("out_of_steps");
      expect(pass(cells * 4 + GUARDS_CELLS)).toBe("out_of_memory");
    }
  });

  test("has the same span for a write far ahead of ap with and without permits", () => {
    for (const memoryPermits of [undefined, createMemoryPermits(1)]) {
      const options = { maxMemoryBytes: 64 * MIB };
      const vm = createCairoVm(
        memoryPermits === undefined ? options : { ...options, memoryPermits },
      );
      const cells = (4 * 64 * MIB) / 32;
      const run = (distance: number) =>
        runBytecode(writingAhead(distance), { maxSteps: 10 }, vm).kind;
      expect(run(cells)).toBe("out_of_steps");
      expect(run(cells + GUARDS_CELLS)).toBe("out_of_memory");
    }
  });

  test("waits for a free permit until the run is cancelled", () => {
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
    const vm = createCairoVm({
      maxSpanBytes: 2 ** 32,
      memoryPermits: createMemoryPermits(0),
      cancelFlag,
    });
    const worker = new Worker(new URL("./set-flag.worker.ts", import.meta.url).href);
    worker.postMessage(cancelFlag);
    const outcome = runBytecode(FILLING, { maxSteps: fillingSteps(base * 2) }, vm);
    worker.terminate();
    expect(outcome.kind).toBe("cancelled");
  });

  test("is returned after a run, and passed-over cells are not touched", () => {
    // In a separate process, as other tests leave memory behind.
    const program = new URL("./give-back.ts", import.meta.url).pathname;
    const { stdout, stderr } = Bun.spawnSync([process.execPath, program]);
    expect(stderr.toString()).toBe("");
    const mib = JSON.parse(stdout.toString()) as Record<string, number>;
    expect(mib).toMatchObject({ kind: "out_of_steps" });
    expect(mib["passedOver"]).toBeLessThan(100);
    expect(mib["most"]).toBeLessThan(500);
    expect(mib["kept"]).toBeGreaterThan(250);
    expect(mib["after"]).toBeLessThan(150);
  }, 60_000);
});
