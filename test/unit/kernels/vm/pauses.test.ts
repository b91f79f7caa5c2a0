import { describe, expect, test } from "bun:test";
import { VmKernel } from "#kernels/vm/index.ts";
import { prepareProgram } from "#engine/cairo/program.ts";
import { classOf } from "#test/unit/engine/cairo/assembler.ts";
import { input, NO_HOST, output, vmModule } from "./builds.ts";

const SEGMENT = 2;

/** `ap += 2`, the instruction that the tested hint is attached to. */
const ADVANCE = [0x40780017fff7fffn, 2n];

/** Sorts the accesses of a dictionary; `[fp]` holds its start and `[fp + 1]` their number. */
const SQUASH = {
  InitSquashData: {
    ...{ dict_accesses: input(0), ptr_diff: input(1), n_accesses: input(1) },
    ...{ big_keys: output(0), first_key: output(1) },
  },
};

/** Works on a new kernel with one frame. @returns how often the kernel called `pause` */
function pausesIn(work: (kernel: VmKernel) => void, pause: () => void = () => undefined): number {
  let count = 0;
  const kernel = new VmKernel(
    {
      ...NO_HOST,
      pause() {
        count++;
        pause();
      },
    },
    { cellBytes: 512 << 20, programBytes: 1 << 20, module: vmModule("wide") },
  );
  const { image } = prepareProgram(classOf(ADVANCE, { 0: [SQUASH] }));
  const placed = kernel.pin(image);
  if (placed === undefined || !kernel.begin(placed, true)) throw new TypeError("no room");
  work(kernel);
  return count;
}

function fill(kernel: VmKernel, count: number, value: (index: number) => bigint): void {
  const part = 4000;
  for (let at = 0; at < count; at += part) {
    const values = Array.from({ length: Math.min(part, count - at) }, (_, i) => value(at + i));
    kernel.writeMany({ segment: SEGMENT, offset: at }, values);
  }
}

/** How often a piece of work calls `pause`, its preparation excluded. */
function asked(before: (kernel: VmKernel) => void, work: (kernel: VmKernel) => void): number {
  const both = pausesIn((kernel) => {
    before(kernel);
    work(kernel);
  });
  return both - pausesIn(before);
}

describe("the VM kernel calls pause", () => {
  test.each([
    ["large keys", 2n ** 32n, 4],
    ["small keys", 1n, 0],
  ])("while it sorts dictionary accesses with %s", (_, factor, least) => {
    const accesses = 200_000;
    const pauses = asked(
      (kernel) => {
        kernel.addSegment("plain");
        fill(kernel, accesses * 3, (i) => BigInt((i * 7919) % 1_000_003) * factor);
        kernel.writeMany({ segment: 1, offset: 0 }, [
          { segment: SEGMENT, offset: 0 },
          BigInt(accesses),
        ]);
        kernel.setRegisters(0, 2, 0, 99);
        kernel.setStepLimit(1000);
      },
      (kernel) => expect(kernel.run(1)).toBe("slice"),
    );
    expect(pauses).toBeGreaterThan(least);
  });

  test("while it computes builtin outputs", () => {
    const instances = 3000;
    const pauses = asked(
      (kernel) => {
        kernel.addSegment("poseidon");
        // Only the inputs of each instance, no outputs.
        for (let i = 0; i < instances; i++) {
          kernel.writeMany({ segment: SEGMENT, offset: i * 6 }, [BigInt(i), 2n, 3n]);
        }
      },
      (kernel) => expect(kernel.verifyOutputs(SEGMENT)).toBe(true),
    );
    expect(pauses).toBeGreaterThan(2);
  });

  test("while it counts memory holes", () => {
    const pauses = asked(
      (kernel) => {
        kernel.addSegment("plain");
        kernel.write({ segment: SEGMENT, offset: 7_000_000 }, 1n);
      },
      (kernel) => void kernel.countHoles(),
    );
    expect(pauses).toBeGreaterThan(1);
  });

  test("while it clears a frame", () => {
    const before = (kernel: VmKernel): void => {
      kernel.addSegment("plain");
      kernel.write({ segment: SEGMENT, offset: 7_000_000 }, 1n);
    };
    expect(asked(before, (kernel) => kernel.end())).toBeGreaterThan(3);
  });
});

test("an error thrown by the host's pause ends the kernel's work", () => {
  const stop = (): never => {
    throw new RangeError("stop");
  };
  const work = (kernel: VmKernel): void => {
    kernel.addSegment("plain");
    kernel.write({ segment: SEGMENT, offset: 7_000_000 }, 1n);
    kernel.countHoles();
  };
  expect(() => pausesIn(work, stop)).toThrow("stop");
});
