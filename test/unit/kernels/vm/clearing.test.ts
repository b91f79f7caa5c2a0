import { describe, expect, test } from "bun:test";
import { createCairoVm, type EntryPointRun } from "#engine/cairo/index.ts";
import { LAYOUT } from "#kernels/vm/index.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { spanBytesFor } from "../../../../src/kernels/vm/address-space.ts";
import {
  classOf,
  encode,
  jump,
  push,
  pushFromFp,
  runBytecode,
} from "../../engine/cairo/assembler.ts";
import {
  advance,
  FILLING,
  PASSING_OVER,
  settingKeys,
  writeFp,
} from "../../engine/cairo/memory-programs.ts";

const CELL_BYTES = bySize({ quick: 8, full: 24 }) << 20;
const ZEROS = Buffer.alloc(1 << 20);

const allocation = { AllocSegment: { dst: { register: "AP", offset: 0 } } };

/** `ap += 1` over a new segment; `[ap] = 5; ap++; [[ap - 2]] = [ap - 1]`, in an endless loop. */
const SEGMENTS = classOf(
  [...advance(1), ...push(5n), encode({ off0: -1, off1: -2, off2: 0, flags: 0x4000 }), ...jump(-5)],
  { 0: [allocation] },
);

const GAPS = classOf([
  ...writeFp(8, 1n),
  ...advance(100_000),
  ...writeFp(300, 1n),
  ...writeFp(20_000, 1n),
  ...advance(2000),
  ...push(1n),
  ...pushFromFp(300),
  ...jump(-3),
]);

/** Endless calls at a fixed place, far below the stack's earlier maximum. */
const GOING_BACK = classOf([
  ...advance(100_000),
  ...advance(-60_000),
  ...[encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), 2n],
  ...jump(-2),
]);

const PROGRAMS = {
  filling: FILLING,
  "passing over": PASSING_OVER,
  "gaps that are written to": GAPS,
  "going back": GOING_BACK,
  segments: SEGMENTS,
  "few keys": settingKeys(10n),
  "many keys": settingKeys(60_000n),
} as const;

/** A machine, with access to its cell memory once that exists. */
function machine(isOver: () => boolean, slowPath: boolean) {
  const Instance = WebAssembly.Instance;
  let memory: WebAssembly.Memory | undefined;
  const vm = createCairoVm({ maxMemoryBytes: CELL_BYTES, isOver, slowPath });
  const run = (casm: EntryPointRun["program"]["casm"], maxSteps: number) => {
    WebAssembly.Instance = class extends Instance {
      constructor(...given: ConstructorParameters<typeof Instance>) {
        super(...given);
        memory = this.exports["memory"] as WebAssembly.Memory;
      }
    };
    try {
      return runBytecode(casm, { maxSteps, builtins: ["segment_arena"] }, vm);
    } finally {
      WebAssembly.Instance = Instance;
    }
  };
  const isClear = (): boolean => {
    const buffer = memory?.buffer ?? new ArrayBuffer(0);
    const bytes = spanBytesFor(CELL_BYTES) + LAYOUT.GUARDS * LAYOUT.GUARD_BYTES;
    const cells = Buffer.from(buffer, buffer.byteLength - bytes, bytes);
    for (let at = 0; at < bytes; at += ZEROS.length) {
      const part = cells.subarray(at, at + ZEROS.length);
      if (!part.equals(ZEROS.subarray(0, part.length))) return false;
    }
    return true;
  };
  return { run, isClear };
}

describe.each(Object.entries(PROGRAMS))("memory of a program of %s", (_name, casm) => {
  test("is cleared after short and long runs", () => {
    const { run, isClear } = machine(() => false, false);
    for (const steps of [10, 3000, 200_000]) {
      expect(["out_of_steps", "out_of_memory"]).toContain(run(casm, steps).kind);
      expect(isClear()).toBe(true);
    }
    expect(run(casm, 1e9).kind).toBe("out_of_memory");
    expect(isClear()).toBe(true);
  });

  test("is cleared wherever the run is cancelled", () => {
    let looks = 0;
    let allowed = 0;
    const { run, isClear } = machine(() => ++looks > allowed, true);
    const kinds = new Set<string>();
    for (const most of bySize({ quick: [1, 3, 6, 14], full: [1, 2, 3, 4, 6, 9, 14] })) {
      looks = 0;
      allowed = most;
      kinds.add(run(casm, 1e9).kind);
      expect(isClear()).toBe(true);
    }
    expect(kinds.has("cancelled")).toBe(casm !== PASSING_OVER);
  });
});
