import type { Timer } from "#base/primitives/index.ts";
import type { RetainedMemory } from "./kept-memory.ts";
import type { Machine } from "./machine.ts";
import { BASE_MEMORY_BYTES } from "./memory-limit.ts";

const MIB = 2 ** 20;

/** How long a machine with a large memory is kept after the last run that needed it. */
export const KEEP_MS = 10_000;

/** Idle time before garbage is collected. */
const REST_MS = 200;

/** Maximum garbage of replaced machines and finished runs that may wait for the thread to be idle. */
const MAX_GARBAGE_BYTES = 256 * MIB;

/** An interrupted machine above this size is replaced: clearing its memory would take longer. */
const MAX_RESET_BYTES = 256 * MIB;

/** Part of {@link Machine} that its keeper uses; replaced in tests. */
export type KeptMachine = Pick<Machine, "isBroken" | "isInterrupted"> & {
  readonly kernel: Pick<Machine["kernel"], "residentBytes" | "takePeakBytes" | "reset">;
};

/** Dependencies of {@link MachineKeeper}. */
export interface KeeperDeps<M extends KeptMachine> {
  readonly make: () => M;
  readonly kept: RetainedMemory;
  readonly timer: Timer;
  /** Collects garbage synchronously. */
  readonly collect: () => void;
}

/**
 * Keeps a thread's machine between runs. WebAssembly memory does not shrink: pages that a run has touched
 * stay resident. They are released by replacing the machine and forcing a garbage collection, because the
 * JavaScript engine does not see the old machine's size. Reusing touched pages is cheaper than touching new
 * ones, so a large machine is kept, within the process-wide limit, until {@link KEEP_MS} after the last run
 * that needed its size.
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

  /** The current machine; `undefined` before the first run and after a release. */
  get machine(): M | undefined {
    return this.#machine;
  }

  /** Returns the machine for an outermost run, creating it if necessary. */
  forRun(): M {
    if (this.#garbageBytes > MAX_GARBAGE_BYTES) this.#collect();
    return (this.#machine ??= this.#deps.make());
  }

  /** Records the end of an outermost run. @param hostBytes - garbage that it leaves outside its cells */
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

  /** Drops the machine and its kept memory; the next run creates another one. */
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
    // No stack frame references the machine here, so it can be collected.
    this.#collect();
  }

  /** Collects once no run has ended for {@link REST_MS}. */
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
