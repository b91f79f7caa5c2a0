import { describe, expect, test } from "bun:test";
import { createCairoVm, type EntryPointRun, type SyscallHost } from "#engine/cairo/index.ts";
import { classOf, encode, felt, jump, push, returningCalldata, runBytecode } from "./assembler.ts";

/** `jmp rel 0` */
const ENDLESS = classOf(jump(0));

/** Repeats `[ap] = 1; ap++` forever. */
const FILLING = classOf([...push(1n), ...jump(-2)]);

/** A syscall at its first instruction; then it returns its calldata. */
const WITH_SYSCALL = classOf(returningCalldata(push(7n)), {
  0: [{ SystemCall: { system: { Deref: { register: "FP", offset: -5 } } } }],
});

function hostOf(act: () => string): SyscallHost {
  return {
    syscall(_memory, frame) {
      const message = act();
      if (message !== "done") return { kind: "fatal", message };
      return { kind: "done", nextPtr: { segment: frame.segment, offset: frame.offset + 1 } };
    },
  };
}

describe("cancellation", () => {
  test("a flag set by another thread stops an endless loop", async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL("./set-flag.worker.ts", import.meta.url).href);
    const isStarted = new Promise<void>((resolve) => {
      worker.onmessage = () => resolve();
    });
    worker.postMessage(flag);
    await isStarted;
    const vm = createCairoVm({ cancelFlag: flag });
    const outcome = runBytecode(ENDLESS, { maxSteps: Number.MAX_SAFE_INTEGER }, vm);
    worker.terminate();
    expect(outcome).toEqual({ kind: "cancelled" });
  });

  test("a cancelled inner run cancels the outer one, and the machine remains usable", () => {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const vm = createCairoVm({ cancelFlag: flag });
    const host = hostOf(() => {
      Atomics.store(flag, 0, 1);
      return runBytecode(ENDLESS, {}, vm).kind;
    });
    expect(runBytecode(WITH_SYSCALL, { host }, vm).kind).toBe("cancelled");
    Atomics.store(flag, 0, 0);
    expect(runBytecode(WITH_SYSCALL, { host: hostOf(() => "done") }, vm).kind).toBe("returned");
  });
});

describe("run limits", () => {
  test("a run takes exactly its maximum number of steps", () => {
    const outcome = runBytecode(ENDLESS, { maxSteps: 3_000_000 });
    expect(outcome).toEqual({
      kind: "out_of_steps",
      failure: {
        message: "Could not reach the end of the program. RunResources has no remaining steps.",
        pc: "0:0",
        traceback: [],
      },
      resources: { steps: 3_000_000, memoryHoles: 0, builtins: {} },
    });
  });

  test("the last allowed step may end the run", () => {
    const casm = classOf(returningCalldata([]));
    expect(runBytecode(casm, { maxSteps: 6 }).kind).toBe("returned");
    expect(runBytecode(casm, { maxSteps: 5 }).kind).toBe("out_of_steps");
  });

  test("exhausted memory ends the run, always at the same step", () => {
    const vm = createCairoVm({ maxMemoryBytes: 16 << 20 });
    const run = (maxSteps: number) => runBytecode(FILLING, { maxSteps }, vm);
    expect(run(100_000_000)).toEqual({ kind: "out_of_memory" });
    let fits = 0;
    let fails = 100_000_000;
    while (fails - fits > 1) {
      const middle = (fits + fails) >> 1;
      if (run(middle).kind === "out_of_steps") fits = middle;
      else fails = middle;
    }
    // Every second step writes a cell of 32 bytes; segment tables and small segments take some
    // memory.
    expect(fits).toBeGreaterThan(((16 << 20) / 32 - 512) * 2);
    expect(fits).toBeLessThan(((16 << 20) / 32) * 2);
    expect(run(fits).kind).toBe("out_of_steps");
    expect(run(fits + 1)).toEqual({ kind: "out_of_memory" });
    expect(runBytecode(classOf(returningCalldata([])), {}, vm).kind).toBe("returned");
  });

  test("a write far from the start of a segment exceeds the memory limit", () => {
    const pointer = { SystemCall: { system: { Deref: { register: "FP", offset: -5 } } } };
    const host: SyscallHost = {
      syscall(memory, frame) {
        const segment = memory.addSegment();
        memory.write({ ...segment, offset: 2 ** 31 }, 1n);
        return { kind: "done", nextPtr: frame };
      },
    };
    expect(runBytecode(classOf(returningCalldata(push(1n)), { 0: [pointer] }), { host })).toEqual({
      kind: "out_of_memory",
    });
  });

  test.each([
    [2n ** 41n, "out_of_memory"],
    // 2^42 cells are 2^47 bytes: the reference machine fails on every computer.
    [2n ** 42n, "Vector capacity exceeded"],
  ])("advancing ap by %p cells fails", (distance, expected) => {
    const advance = encode({ off0: -1, off1: -1, off2: 1, flags: 0x0407 });
    const outcome = runBytecode(classOf([advance, distance, ...push(1n)]));
    expect(outcome.kind === "failed" ? outcome.failure.message : outcome.kind).toBe(expected);
  });

  test("an endless number of segments exceeds the memory limit", () => {
    const hint = { AllocSegment: { dst: { register: "AP", offset: 0 } } };
    const casm = classOf([0x40780017fff7fffn, 1n, ...jump(-2)], { 0: [hint] });
    const vm = createCairoVm({ maxMemoryBytes: 16 << 20 });
    const outcome = runBytecode(casm, { maxSteps: 100_000_000 }, vm);
    expect(outcome).toEqual({ kind: "out_of_memory" });
  });
});

describe("shared steps", () => {
  test("nested runs use the same step budget, and the outer run ends after the syscall", () => {
    const vm = createCairoVm();
    const stepBudget = { left: 100 };
    let inner: unknown;
    const host = hostOf(() => {
      expect(stepBudget.left).toBe(100);
      inner = runBytecode(ENDLESS, { stepBudget }, vm);
      expect(stepBudget.left).toBe(0);
      return "done";
    });
    const outer = runBytecode(WITH_SYSCALL, { stepBudget, host }, vm);
    expect(inner).toMatchObject({ kind: "out_of_steps", resources: { steps: 100 } });
    // The instruction with the syscall completes; the next one, at 2, does not start.
    expect(outer).toMatchObject({
      kind: "out_of_steps",
      failure: { pc: "0:2" },
      resources: { steps: 1 },
    });
  });
});

describe("nested runs", () => {
  test("keep inner and outer results apart", () => {
    const vm = createCairoVm();
    const inner: bigint[][] = [];
    const nested = (depth: number): Partial<EntryPointRun> => ({
      calldata: [BigInt(depth), felt(-1n)],
      builtinCosts: [BigInt(depth)],
      host: hostOf(() => {
        if (depth === 50) return "done";
        const outcome = runBytecode(WITH_SYSCALL, nested(depth + 1), vm);
        if (outcome.kind !== "returned") return outcome.kind;
        inner.push(outcome.retdata.toArray());
        return "done";
      }),
    });
    const outcome = runBytecode(WITH_SYSCALL, nested(0), vm);
    expect(outcome.kind === "returned" && outcome.retdata.toArray()).toEqual([0n, felt(-1n)]);
    expect(inner.map(([depth]) => depth)).toEqual(
      Array.from({ length: 50 }, (_, i) => BigInt(50 - i)),
    );
  });

  test("keep the outer program's builtin costs after an inner run of the same class", () => {
    const vm = createCairoVm();
    const syscall = (distance: number) => ({
      SystemCall: {
        system: {
          BinOp: {
            ...{ op: "Add", a: { register: "FP", offset: -5 } },
            b: { Immediate: `0x${distance}` },
          },
        },
      },
    });
    const casm = classOf(returningCalldata([...push(1n), ...push(2n)]), {
      0: [syscall(0)],
      2: [syscall(1)],
    });
    const seen: unknown[] = [];
    const next: SyscallHost["syscall"] = (memory, frame) => {
      seen.push(memory.read({ segment: 0, offset: casm.bytecode.length + 1 }));
      return { kind: "done", nextPtr: { ...frame, offset: frame.offset + 1 } };
    };
    const host: SyscallHost = {
      syscall(memory, frame) {
        const outcome = next(memory, frame);
        runBytecode(casm, { builtins: ["range_check"], host: { syscall: next } }, vm);
        return outcome;
      },
    };
    runBytecode(casm, { host }, vm);
    const [outer, inner] = [2, 3].map((segment) => ({ segment, offset: 0 }));
    expect(seen).toEqual([outer, inner, inner, outer, inner, inner]);
  });

  test("fail in the innermost run if nested too deeply", () => {
    const vm = createCairoVm();
    let deepest = 0;
    const nested = (depth: number): Partial<EntryPointRun> => ({
      host: hostOf(() => {
        const outcome = runBytecode(WITH_SYSCALL, nested(depth + 1), vm);
        if (outcome.kind === "failed") deepest = Math.max(deepest, depth);
        return outcome.kind === "returned" ? "done" : "inner run failed";
      }),
    });
    expect(runBytecode(WITH_SYSCALL, nested(1), vm).kind).toBe("failed");
    expect(deepest).toBe(64);
  });

  test("end with the host's message at a fatal syscall", () => {
    const outcome = runBytecode(WITH_SYSCALL, { host: hostOf(() => "broken") });
    expect(outcome).toMatchObject({ kind: "failed", failure: { message: "broken", pc: "0:0" } });
  });

  test("propagate an exception of the host and leave the machine usable", () => {
    const vm = createCairoVm();
    const host: SyscallHost = {
      syscall() {
        throw new TypeError("bug");
      },
    };
    expect(() => runBytecode(WITH_SYSCALL, { host }, vm)).toThrow("bug");
    expect(runBytecode(WITH_SYSCALL, { host: hostOf(() => "done") }, vm).kind).toBe("returned");
  });
});
