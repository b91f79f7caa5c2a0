import { fullGC } from "bun:jsc";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { threadProcessorMs } from "./processor-time.ts";

/** Between two looks at what the thread has done. */
const LOOK_MS = 500;
/** A thread that takes less of a processor than that between two looks has nothing to do. */
const IDLE_SHARE = 0.05;
/**
 * Time without work after which memory is given back. The engine's collections throw away code that has
 * not run for longer, which the next work would have to wait for.
 */
const IDLE_MS = 4_000;
/** Work since memory was last given back from which on doing so again is worth the while. */
const RELEASE_WORK_MS = 500;
/** Work after which everything is collected. */
const COLLECT_WORK_MS = 1_500;
/** From a collection to the next one it takes at least so many times as long. */
const COLLECT_SHARE = 50;

/** What keeps the memory of a thread small works with; replaced in tests. */
export interface ThreadMemoryPorts {
  readonly timer: Timer;
  /** Processor time that the thread has used since it began. */
  processorMs(): number;
  /** Collects all garbage; the memory is used again. */
  collect(): void;
  /** Gives back what nothing needs before there is work again. */
  release(): void;
}

/** Ports of the calling thread. */
export function threadMemoryPorts(service: { forget(): void }): ThreadMemoryPorts {
  return {
    timer: SYSTEM_TIMER,
    processorMs: threadProcessorMs,
    collect: fullGC,
    release() {
      service.forget();
      Bun.gc(true);
    },
  };
}

/**
 * Keeps the memory of a thread small. The engine lets what has outlived young collections stand until the
 * heap has grown by much, under load three times what is in use; and what a thread without work no longer
 * needs it keeps for good.
 */
export class ThreadMemory {
  readonly #ports: ThreadMemoryPorts;
  #cancel: () => void = () => undefined;
  /** Processor time of the thread at the last look, the last collection and the last release. */
  #lookedAtMs = 0;
  #collectedAtMs = 0;
  #releasedAtMs = 0;
  #idleMs = 0;
  /** By the timer: collections have had their share of the time until then. */
  #restedMs = 0;

  constructor(ports: ThreadMemoryPorts) {
    this.#ports = ports;
  }

  /** Looks at the thread twice a second, until {@link stop}. */
  start(): void {
    this.#cancel = this.#ports.timer.after(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
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
    this.#lookedAtMs = processorMs();
  }
}
