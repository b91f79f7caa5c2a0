import { describe, expect, test } from "bun:test";
import { createKeptMemory } from "#engine/cairo/index.ts";
import { KeptMemory } from "#engine/cairo/kept-memory.ts";
import { KEEP_MS, type KeptMachine, MachineKeeper } from "#engine/cairo/machine-keeper.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const MIB = 2 ** 20;

class FakeMachine implements KeptMachine {
  isBroken = false;
  isInterrupted = false;
  peakBytes = 0;
  resets = 0;
  readonly kernel = {
    residentBytes: 0,
    takePeakBytes: (): number => this.peakBytes,
    reset: (): void => {
      this.resets++;
    },
  };
}

function world(limitMib = 1000) {
  const timer = new FakeTimer();
  const kept = createKeptMemory();
  const counts = { made: 0, collections: 0 };
  const keeper = new MachineKeeper({
    make: () => {
      counts.made++;
      return new FakeMachine();
    },
    kept: new KeptMemory(kept, limitMib * MIB),
    timer,
    collect: () => counts.collections++,
  });
  /** A run that touches so much; of a machine of which so much is resident afterwards. */
  const run = (peakMib: number, change?: (machine: FakeMachine) => void, hostMib = 0): void => {
    const machine = keeper.forRun();
    machine.peakBytes = peakMib * MIB;
    machine.kernel.residentBytes = Math.max(machine.kernel.residentBytes, peakMib * MIB);
    change?.(machine);
    keeper.afterRun(machine, hostMib * MIB);
  };
  return { timer, kept, counts, keeper, run };
}

describe("a machine", () => {
  test("that took little is kept without end", () => {
    const { timer, kept, counts, run } = world();
    run(48);
    timer.advance(10 * KEEP_MS);
    run(1);
    expect(counts).toEqual({ made: 1, collections: 0 });
    expect(kept[0]).toBe(0);
  });

  test("that took much is kept, and let go when no run has taken much for a while", () => {
    const { timer, kept, counts, keeper, run } = world();
    run(400);
    expect(kept[0]).toBe(400);
    timer.advance(KEEP_MS / 2);
    run(300);
    timer.advance(KEEP_MS - 1);
    run(1);
    expect(counts).toEqual({ made: 1, collections: 0 });
    timer.advance(1);
    expect(keeper.machine).toBeUndefined();
    expect(counts).toEqual({ made: 1, collections: 1 });
    expect(kept[0]).toBe(0);
    expect(timer.alarms).toBe(0);
  });

  test("that takes more than the process may keep is given up, and collected while nothing runs", () => {
    const { timer, kept, counts, keeper, run } = world(300);
    run(301);
    expect(keeper.machine).toBeUndefined();
    expect(counts.collections).toBe(0);
    expect(kept[0]).toBe(0);
    timer.advance(1000);
    expect(counts.collections).toBe(1);
    run(300);
    expect(kept[0]).toBe(300);
  });

  test("that was interrupted is reset, or replaced when that would take long", () => {
    const { counts, keeper, run } = world();
    const interrupt = (machine: FakeMachine): void => {
      machine.isInterrupted = true;
    };
    run(256, interrupt);
    expect(keeper.machine).toMatchObject({ resets: 1, isInterrupted: false });
    run(257, interrupt);
    expect(keeper.machine).toBeUndefined();
    run(1);
    expect(counts.made).toBe(2);
  });

  test("that is broken is replaced", () => {
    const { counts, run } = world();
    run(1, (machine) => {
      machine.isBroken = true;
    });
    run(1);
    expect(counts.made).toBe(2);
  });
});

describe("what runs leave behind", () => {
  test("is collected when nothing has run for a moment", () => {
    const { timer, counts, run } = world();
    run(1, undefined, 20);
    timer.advance(100);
    run(1, undefined, 20);
    timer.advance(199);
    expect(counts.collections).toBe(0);
    timer.advance(1);
    expect(counts.collections).toBe(1);
  });

  test("is collected before a run when it is too much to wait", () => {
    const { counts, run } = world();
    for (let i = 0; i < 13; i++) run(1, undefined, 20);
    expect(counts.collections).toBe(0);
    run(1, undefined, 20);
    expect(counts.collections).toBe(1);
  });
});
