import { describe, expect, test } from "bun:test";
import { createRetainedMemory } from "#engine/cairo/index.ts";
import { RetainedMemory } from "#engine/cairo/kept-memory.ts";
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
  const kept = createRetainedMemory();
  const counts = { made: 0, collections: 0 };
  const keeper = new MachineKeeper({
    make: () => {
      counts.made++;
      return new FakeMachine();
    },
    kept: new RetainedMemory(kept, limitMib * MIB),
    timer,
    collect: () => counts.collections++,
  });
  /** Runs a machine that reaches `peakMib`; `hostMib` is garbage of the host. */
  const run = (peakMib: number, change?: (machine: FakeMachine) => void, hostMib = 0): void => {
    const machine = keeper.forRun();
    machine.peakBytes = peakMib * MIB;
    machine.kernel.residentBytes = Math.max(machine.kernel.residentBytes, peakMib * MIB);
    change?.(machine);
    keeper.afterRun(machine, hostMib * MIB);
  };
  return { timer, kept, counts, keeper, run };
}

describe("MachineKeeper", () => {
  test("keeps a small machine indefinitely", () => {
    const { timer, kept, counts, run } = world();
    run(48);
    timer.advance(10 * KEEP_MS);
    run(1);
    expect(counts).toEqual({ made: 1, collections: 0 });
    expect(kept[0]).toBe(0);
  });

  test("drops a large machine after a while without large runs", () => {
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

  test("drops a machine above the process limit, and collects it while idle", () => {
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

  test("resets an interrupted machine, or replaces it if a reset would be slow", () => {
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

  test("replaces a broken machine", () => {
    const { counts, run } = world();
    run(1, (machine) => {
      machine.isBroken = true;
    });
    run(1);
    expect(counts.made).toBe(2);
  });
});

describe("MachineKeeper garbage collection", () => {
  test("runs when the thread has been idle for a moment", () => {
    const { timer, counts, run } = world();
    run(1, undefined, 20);
    timer.advance(100);
    run(1, undefined, 20);
    timer.advance(199);
    expect(counts.collections).toBe(0);
    timer.advance(1);
    expect(counts.collections).toBe(1);
  });

  test("runs before the next run when there is too much garbage", () => {
    const { counts, run } = world();
    for (let i = 0; i < 13; i++) run(1, undefined, 20);
    expect(counts.collections).toBe(0);
    run(1, undefined, 20);
    expect(counts.collections).toBe(1);
  });
});
