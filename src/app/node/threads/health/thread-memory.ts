import { fullGC } from "bun:jsc";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { GarbageWatch } from "./garbage-watch.ts";
import { threadProcessorMs } from "./processor-time.ts";

/** Interval between two checks of the thread's work. */
const LOOK_MS = 500;
/** Interval between two checks of the process's memory. */
const WATCH_MS = 200;
/** Share of a processor below which a thread counts as idle in an interval. */
const IDLE_SHARE = 0.05;
/**
 * Idle time after which memory is released. The engine's collections discard code that has not run for
 * longer, which would delay the next work.
 */
const IDLE_MS = 4_000;
/** Minimum work since the last release before another one pays off. */
const RELEASE_WORK_MS = 500;
/**
 * Time of near idleness after which compiled code is discarded, and the work that counts as such. This saves
 * a fifth of the process's memory, and costs each thread about ten milliseconds at its next work.
 */
const QUIET_MS = 15_000;
const QUIET_WORK_MS = 100;
/** Work after which all garbage is collected. */
const COLLECT_WORK_MS = 1_500;
/** Minimum time between two collections, as a multiple of a collection's duration. */
const COLLECT_SHARE = 50;

/** Dependencies of {@link ThreadMemory}; replaced in tests. */
export interface ThreadMemoryPorts {
  readonly timer: Timer;
  /** Processor time of the thread since its start, in milliseconds. */
  processorMs(): number;
  /** Resident memory of the process. */
  residentBytes(): number;
  /** Collects all garbage; the heap keeps the memory. */
  collect(): void;
  /** Collects all garbage and returns its memory to the system. */
  reclaim(): void;
  /** Returns memory to the system that is not needed while the thread is idle. */
  release(): void;
  /** Discards compiled code once the thread is idle; {@link release} then returns its memory. */
  discardCode(): void;
}

/** Ports of the calling thread. */
export function threadMemoryPorts(service: { forget(): void }): ThreadMemoryPorts {
  return {
    timer: SYSTEM_TIMER,
    processorMs: threadProcessorMs,
    residentBytes: () => process.memoryUsage.rss(),
    collect: fullGC,
    reclaim: () => Bun.gc(true),
    release() {
      service.forget();
      Bun.gc(true);
    },
    // Deprecated, but the only way to make the engine discard compiled code.
    discardCode: () => Bun.shrink(),
  };
}

/**
 * Keeps the memory of a thread small. The engine keeps objects that survive young collections until the heap
 * has grown much, under load to three times the live size. An idle thread never releases memory by itself,
 * above all the machine code of frequently run functions. When the process's memory grows fast, each working
 * thread collects and returns what it can.
 */
export class ThreadMemory {
  readonly #ports: ThreadMemoryPorts;
  readonly #garbage = new GarbageWatch();
  #cancel: () => void = () => undefined;
  #cancelWatch: () => void = () => undefined;
  /** Processor time of the thread at the last check, the last collection and the last release. */
  #lookedAtMs = 0;
  #collectedAtMs = 0;
  #releasedAtMs = 0;
  #idleMs = 0;
  /** Processor time at the end of the last significant work, and the time since then. */
  #quietSinceWorkMs = 0;
  #quietMs = 0;
  #discardedAtMs = 0;
  /** Timer time before which no collection is due, because the last one took its share. */
  #restedMs = 0;

  constructor(ports: ThreadMemoryPorts) {
    this.#ports = ports;
  }

  /** Checks the thread twice a second, and the process five times, until {@link stop}. */
  start(): void {
    this.#lookLater();
    this.#watchLater();
  }

  stop(): void {
    this.#cancel();
    this.#cancelWatch();
  }

  #lookLater(): void {
    this.#cancel = this.#ports.timer.after(LOOK_MS, () => {
      this.#look();
      this.#lookLater();
    });
  }

  #watchLater(): void {
    this.#cancelWatch = this.#ports.timer.after(WATCH_MS, () => {
      const { processorMs, residentBytes, reclaim } = this.#ports;
      // The allocator keeps freed memory of a burst, so that the next growth would start from there.
      if (this.#garbage.isDue(residentBytes(), processorMs())) reclaim();
      this.#watchLater();
    });
  }

  #look(): void {
    const { timer, processorMs, collect, release } = this.#ports;
    const workMs = processorMs();
    const isIdle = workMs - this.#lookedAtMs < LOOK_MS * IDLE_SHARE;
    this.#idleMs = isIdle ? this.#idleMs + LOOK_MS : 0;
    const startMs = timer.nowMs();
    if (this.#idleMs >= IDLE_MS && workMs - this.#releasedAtMs >= RELEASE_WORK_MS) {
      release();
      this.#releasedAtMs = processorMs();
      this.#collectedAtMs = this.#releasedAtMs;
    } else if (workMs - this.#collectedAtMs >= COLLECT_WORK_MS && startMs >= this.#restedMs) {
      collect();
      const endMs = timer.nowMs();
      this.#restedMs = endMs + COLLECT_SHARE * (endMs - startMs);
      this.#collectedAtMs = processorMs();
    }
    this.#lookAtCode(workMs);
    this.#lookedAtMs = processorMs();
  }

  #lookAtCode(workMs: number): void {
    if (workMs - this.#quietSinceWorkMs > QUIET_WORK_MS) {
      this.#quietSinceWorkMs = workMs;
      this.#quietMs = 0;
      return;
    }
    this.#quietMs += LOOK_MS;
    if (this.#quietMs < QUIET_MS || workMs - this.#discardedAtMs < RELEASE_WORK_MS) return;
    this.#ports.discardCode();
    this.#discardedAtMs = workMs;
    // The code is freed after this turn; the next check then releases its memory.
    this.#releasedAtMs = Number.NEGATIVE_INFINITY;
  }
}
