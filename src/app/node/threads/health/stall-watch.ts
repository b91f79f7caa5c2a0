import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { kindOf, type ThreadKind, type ThreadName } from "../protocol.ts";
import { stalledText } from "../../setup/readiness-reasons.ts";

/** Interval between two checks of the threads' progress. */
export const LOOK_MS = 1_000;

/**
 * Threads that the chain needs to grow. The others serve single requests, which have deadlines, or their
 * stall stalls one of these.
 */
const WATCHED: ReadonlySet<ThreadKind> = new Set<ThreadKind>([
  "admission",
  "validator",
  "executor",
  "committer",
  "sync",
]);

/** Dependencies of a {@link StallWatch}. */
export interface StallWatchDeps {
  /** Counts that change with each thread's progress; `undefined` while threads start or stop. */
  readonly pulses: () => ReadonlyMap<ThreadName, { readonly count: number }> | undefined;
  /** Time without progress after which a thread counts as stalled. */
  readonly stallTimeoutMs: number;
  /** Called with the reason once a thread is stalled; again after it has recovered. */
  readonly onStall: (reason: string) => void;
  readonly log: Pick<Logger, "error" | "info">;
  readonly timer: Timer;
}

/** Last progress of one thread. */
interface Seen {
  readonly count: number;
  /** Watched time since then. */
  readonly silentMs: number;
}

/**
 * Watches whether the threads make progress. Time in which this thread did not run either does not count, so
 * that a paused machine is not a stall.
 */
export class StallWatch {
  readonly #deps: StallWatchDeps;
  #seen: ReadonlyMap<ThreadName, Seen> = new Map();
  #lookedAtMs: number;
  #stalled: ThreadName | undefined;
  #cancel: () => void = () => undefined;

  constructor(deps: StallWatchDeps) {
    this.#deps = deps;
    this.#lookedAtMs = deps.timer.nowMs();
  }

  /** Starts watching. Call it once. */
  start(): void {
    this.#cancel = this.#deps.timer.after(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  /** Reason why the node is not ready; `undefined` while all threads make progress. */
  alarm(): string | undefined {
    const stalled = this.#stalled;
    if (stalled === undefined) return undefined;
    return stalledText(stalled, this.#seen.get(stalled)?.silentMs ?? 0);
  }

  #look(): void {
    const { pulses, timer } = this.#deps;
    const nowMs = timer.nowMs();
    const watchedMs = Math.min(nowMs - this.#lookedAtMs, 2 * LOOK_MS);
    this.#lookedAtMs = nowMs;
    const seen = new Map<ThreadName, Seen>();
    for (const [name, { count }] of pulses() ?? []) {
      if (!WATCHED.has(kindOf(name))) continue;
      const before = this.#seen.get(name);
      const silentMs = before?.count === count ? before.silentMs + watchedMs : 0;
      seen.set(name, { count, silentMs });
    }
    this.#seen = seen;
    this.#judge();
  }

  #judge(): void {
    const { stallTimeoutMs, onStall, log } = this.#deps;
    const before = this.#stalled;
    const [longest] = [...this.#seen].sort(([, a], [, b]) => b.silentMs - a.silentMs);
    const isStalled = longest !== undefined && longest[1].silentMs >= stallTimeoutMs;
    this.#stalled = isStalled ? longest[0] : undefined;
    if (before === undefined && isStalled) {
      const reason = stalledText(longest[0], longest[1].silentMs);
      log.error(reason);
      onStall(reason);
    }
    if (before !== undefined && !isStalled) log.info(`the ${before} thread makes progress again`);
  }
}
