import { fullGC } from "bun:jsc";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { GarbageWatch } from "./garbage-watch.ts";
import { threadProcessorMs } from "./processor-time.ts";

/** Between two looks at what the thread has done. */
const LOOK_MS = 500;
/** Between two looks at the memory of the process. */
const WATCH_MS = 200;
/** A thread that takes less of a processor than that between two looks has nothing to do. */
const IDLE_SHARE = 0.05;
/**
 * Time without work after which memory is given back. The engine's collections throw away code that has
 * not run for longer, which the next work would have to wait for.
 */
const IDLE_MS = 4_000;
/** Work since memory was last given back from which on doing so again is worth the while. */
const RELEASE_WORK_MS = 500;
/**
 * Time with hardly any work after which what the engine has compiled is thrown away, and how much work that
 * is: a fifth of the memory of a process, against some ten milliseconds of the next work of each thread.
 */
const QUIET_MS = 15_000;
const QUIET_WORK_MS = 100;
/** Work after which everything is collected. */
const COLLECT_WORK_MS = 1_500;
/** From a collection to the next one it takes at least so many times as long. */
const COLLECT_SHARE = 50;

/** What keeps the memory of a thread small works with; replaced in tests. */
export interface ThreadMemoryPorts {
  readonly timer: Timer;
  /** Processor time that the thread has used since it began. */
  processorMs(): number;
  /** Resident memory of the process. */
  residentBytes(): number;
  /** Collects all garbage; the memory is used again. */
  collect(): void;
  /** Gives back what nothing needs before there is work again. */
  release(): void;
  /** Throws away what was compiled, once the thread does nothing; its memory is left to {@link release}. */
  discardCode(): void;
}

/** Ports of the calling thread. */
export function threadMemoryPorts(service: { forget(): void }): ThreadMemoryPorts {
  return {
    timer: SYSTEM_TIMER,
    processorMs: threadProcessorMs,
    residentBytes: () => process.memoryUsage.rss(),
    collect: fullGC,
    release() {
      service.forget();
      Bun.gc(true);
    },
    // Marked as deprecated, and the only way to have the engine do without what it has compiled.
    discardCode: () => Bun.shrink(),
  };
}

/**
 * Keeps the memory of a thread small. The engine lets what has outlived young collections stand until the
 * heap has grown by much, under load three times what is in use; and what a thread without work no longer
 * needs it keeps for good, above all the machine code of what has run often. Where the memory of the process
 * grows fast, each thread that works collects.
 */
export class ThreadMemory {
  readonly #ports: ThreadMemoryPorts;
  readonly #garbage = new GarbageWatch();
  #cancel: () => void = () => undefined;
  #cancelWatch: () => void = () => undefined;
  /** Processor time of the thread at the last look, the last collection and the last release. */
  #lookedAtMs = 0;
  #collectedAtMs = 0;
  #releasedAtMs = 0;
  #idleMs = 0;
  /** Processor time at the end of the last work worth the name, and how long ago that is. */
  #quietSinceWorkMs = 0;
  #quietMs = 0;
  #discardedAtMs = 0;
  /** By the timer: collections have had their share of the time until then. */
  #restedMs = 0;

  constructor(ports: ThreadMemoryPorts) {
    this.#ports = ports;
  }

  /** Looks at the thread twice a second, and at the process five times, until {@link stop}. */
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
      const { processorMs, residentBytes, collect } = this.#ports;
      if (this.#garbage.isDue(residentBytes(), processorMs())) collect();
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
    // It is gone once this turn is over; its memory goes then.
    this.#releasedAtMs = Number.NEGATIVE_INFINITY;
  }
}
