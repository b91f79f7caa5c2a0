import type { Timer } from "#base/primitives/index.ts";
import type { KeptMemory } from "./kept-memory.ts";
import type { Machine } from "./machine.ts";
import { BASE_MEMORY_BYTES } from "./memory-limit.ts";

const MIB = 2 ** 20;

/** How long a machine that took much is kept after the last run that did. */
export const KEEP_MS = 10_000;

/** How long nothing runs before what was left behind is collected. */
const REST_MS = 200;

/** What replaced machines and runs left behind may wait for the thread to rest. */
const MAX_GARBAGE_BYTES = 256 * MIB;

/** An interrupted machine that took more is replaced: clearing it would take longer. */
const MAX_RESET_BYTES = 256 * MIB;

/** What of a machine its keeper needs; replaced in tests. */
export type KeptMachine = Pick<Machine, "isBroken" | "isInterrupted"> & {
  readonly kernel: Pick<Machine["kernel"], "residentBytes" | "takePeakBytes" | "reset">;
};

/** What a keeper works with. */
export interface KeeperDeps<M extends KeptMachine> {
  /** A new machine. */
  readonly make: () => M;
  readonly kept: KeptMemory;
  readonly timer: Timer;
  /** Collects garbage before it returns. */
  readonly collect: () => void;
}

/**
 * Keeps the machine of a thread between its runs. Memory of WebAssembly does not shrink: what a run has
 * touched stays resident, and is given back by replacing the machine and making the engine find the
 * old one, whose size it does not see. As the next run needs the pages again, which is cheaper than
 * new ones, a machine that took much is kept, within what the process may keep, until no run has taken
 * much for {@link KEEP_MS}.
 */
export class MachineKeeper<M extends KeptMachine> {
  readonly #deps: KeeperDeps<M>;
  #machine: M | undefined;
  #garbageBytes = 0;
  #lastLargeMs = 0;
  #cancelRelease: (() => void) | undefined;
  #cancelCollection: (() => void) | undefined;

  constructor(deps: KeeperDeps<M>) {
    this.#deps = deps;
  }

  /** The machine, if there is one. */
  get machine(): M | undefined {
    return this.#machine;
  }

  /** The machine for an outermost run. */
  forRun(): M {
    if (this.#garbageBytes > MAX_GARBAGE_BYTES) this.#collect();
    return (this.#machine ??= this.#deps.make());
  }

  /** An outermost run is over. @param hostBytes - what it leaves behind beside its cells */
  afterRun(machine: M, hostBytes: number): void {
    this.#garbageBytes += hostBytes;
    const { kernel } = machine;
    const bytes = kernel.residentBytes;
    if (machine.isInterrupted && !machine.isBroken) {
      if (bytes > MAX_RESET_BYTES) machine.isBroken = true;
      else kernel.reset();
      machine.isInterrupted = false;
    }
    const isLarge = kernel.takePeakBytes() > BASE_MEMORY_BYTES;
    const isKept = bytes <= BASE_MEMORY_BYTES || this.#deps.kept.keep(bytes);
    if (machine.isBroken || !isKept) this.#drop(bytes);
    else if (bytes > BASE_MEMORY_BYTES) this.#releaseLater(isLarge);
    if (this.#garbageBytes > 0) this.#collectLater();
  }

  /** Gives up the machine and all that it keeps; the next run makes another one. */
  #drop(bytes: number): void {
    this.#machine = undefined;
    this.#deps.kept.keep(0);
    this.#garbageBytes += bytes;
    this.#cancelRelease?.();
    this.#cancelRelease = undefined;
  }

  #releaseLater(isLarge: boolean): void {
    const { timer } = this.#deps;
    if (isLarge) this.#lastLargeMs = timer.nowMs();
    this.#cancelRelease ??= timer.after(KEEP_MS, () => this.#release());
  }

  #release(): void {
    const { timer } = this.#deps;
    const leftMs = this.#lastLargeMs + KEEP_MS - timer.nowMs();
    if (leftMs > 0) {
      this.#cancelRelease = timer.after(leftMs, () => this.#release());
      return;
    }
    this.#drop(this.#machine?.kernel.residentBytes ?? 0);
    // The machine is on no stack now.
    this.#collect();
  }

  /** Collects when nothing has run for a moment. */
  #collectLater(): void {
    this.#cancelCollection?.();
    this.#cancelCollection = this.#deps.timer.after(REST_MS, () => this.#collect());
  }

  #collect(): void {
    this.#cancelCollection?.();
    this.#cancelCollection = undefined;
    this.#garbageBytes = 0;
    this.#deps.collect();
  }
}
