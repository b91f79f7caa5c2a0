import { createKeptMemory, createMemoryPermits } from "#engine/cairo/index.ts";
import { invariant, NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { createPulsePage, Pulse } from "./health/pulse.ts";
import { connectThreads } from "./connect.ts";
import type { ThreadPlan } from "./plan.ts";
import {
  indexOf,
  kindOf,
  type KindOf,
  type PlannedKind,
  type PortBetween,
  type ThreadName,
} from "./protocol.ts";
import { startWorker, stopWorker, type WorkerThread } from "./spawn.ts";

/** How long all threads together may take to finish what they have in hand. */
export const THREADS_STOP_MS = 2_000;

/**
 * Query threads that may run something that needs much memory at a time. The executor always may,
 * and admission within the milliseconds that it has; with what machines keep between their runs all
 * together take at most three times the limit of one run.
 */
const MEMORY_PERMITS = 1;

/** Starts the thread of a name; tells of its death. */
export type Spawn = <Name extends ThreadName>(
  name: Name,
  onDeath: (error: NodeError) => void,
) => WorkerThread<KindOf<Name>>;

/** Who is told what becomes of threads. */
export interface ThreadsListener {
  /** A thread ended by itself, while the others start too. Comes before {@link onFailure}. */
  onDeath(error: NodeError, thread: ThreadName): void;
  /** A thread died or reported an error after all had started: the node has to stop. */
  onFailure(error: NodeError): void;
}

/** What a crew is made of. */
export interface CrewDeps {
  readonly setup: NodeSetup;
  /** Which threads start and stop when, and who talks to whom. */
  readonly plan: ThreadPlan;
  /** The flag of a thread, which cancels its Cairo machine. */
  readonly flagOf: (name: ThreadName) => Int32Array;
  readonly listener: ThreadsListener;
  readonly spawn: Spawn;
  readonly timer: Timer;
}

/** What starting and stopping needs of a thread, whatever it is told in between. */
type AnyThread = Omit<WorkerThread, "port">;

/** Threads that are started and stopped together. */
export class ThreadCrew {
  /** Settles when all threads have started; rejects with a {@link NodeError} when one does not. */
  readonly started: Promise<void>;
  readonly #deps: CrewDeps;
  readonly #threads = new Map<ThreadName, AnyThread>();
  readonly #pulses = new Map<ThreadName, Pulse>();
  readonly #failure = Promise.withResolvers<never>();
  #isStarted = false;
  #isStopping = false;

  /**
   * Starts every thread of `names` in the stages of the plan, and connects those that talk to each other.
   *
   * @param onPort - is given the main thread's end of each
   */
  constructor(
    deps: CrewDeps,
    names: readonly ThreadName[],
    onPort: <Name extends ThreadName>(name: Name, port: PortBetween<"main", KindOf<Name>>) => void,
  ) {
    this.#deps = deps;
    for (const name of names) onPort(name, this.#spawn(name));
    const { plan } = deps;
    const ports = connectThreads(names, plan.edges);
    const memoryPermits = createMemoryPermits(MEMORY_PERMITS).buffer;
    const keptMemory = createKeptMemory().buffer;
    const start = (name: ThreadName): Promise<void> => {
      const pulse = createPulsePage();
      this.#pulses.set(name, new Pulse(pulse));
      const init = {
        setup: deps.setup,
        index: indexOf(name),
        ports: ports.get(name) ?? {},
        growth: plan.growth,
        cancelFlag: deps.flagOf(name).buffer as SharedArrayBuffer,
        memoryPermits,
        keptMemory,
        pulse,
      };
      return startWorker(this.#get(name), init, deps.timer);
    };
    const startAll = async (): Promise<void> => {
      for (const stage of plan.start) await Promise.all(this.#namesOf(stage).map(start));
      this.#isStarted = true;
    };
    this.started = Promise.race([startAll(), this.#failure.promise]);
    // Whoever waits sees the failure; a node that stops before that does not have to.
    this.started.catch(() => undefined);
  }

  /** Progress of each thread; `undefined` while they start, and once they stop. */
  get pulses(): ReadonlyMap<ThreadName, Pulse> | undefined {
    return this.#isStarted && !this.#isStopping ? this.#pulses : undefined;
  }

  /**
   * Stops all threads in the stages of the plan; each finishes what it has in hand, for
   * {@link THREADS_STOP_MS} together. Those that start are waited for as long: a thread that
   * is ended in the middle leaves its files open.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const { flagOf, plan, timer } = this.#deps;
    const names = [...this.#threads.keys()];
    for (const name of names) Atomics.store(flagOf(name), 0, 1);
    const endsAtMs = timer.nowMs() + THREADS_STOP_MS;
    if (!this.#isStarted) await settled(this.started, THREADS_STOP_MS, timer);
    if (!this.#isStarted) {
      await Promise.all([...this.#threads.values()].map((thread) => thread.terminate()));
      return;
    }
    const stop = (name: ThreadName): Promise<void> =>
      stopWorker(this.#get(name), Math.max(0, endsAtMs - timer.nowMs()), timer);
    for (const stage of plan.stop) await Promise.all(this.#namesOf(stage).map(stop));
  }

  #namesOf(stage: readonly PlannedKind[]): readonly ThreadName[] {
    return [...this.#threads.keys()].filter((name) => stage.some((kind) => kind === kindOf(name)));
  }

  #spawn<Name extends ThreadName>(name: Name): PortBetween<"main", KindOf<Name>> {
    const { listener, spawn } = this.#deps;
    const thread = spawn(name, (error) => {
      listener.onDeath(error, name);
      this.#failed(error);
    });
    thread.onReport((report) => {
      if (report.kind !== "failed") return;
      this.#failed(new NodeError("NODE_WORKER_FAILED", `${name}: ${report.reason}`));
    });
    this.#threads.set(name, thread);
    return thread.port;
  }

  #get(name: ThreadName): AnyThread {
    const thread = this.#threads.get(name);
    invariant(thread !== undefined, `there is a thread ${name}`);
    return thread;
  }

  #failed(error: NodeError): void {
    if (this.#isStarted) this.#deps.listener.onFailure(error);
    else this.#failure.reject(error);
  }
}

/** Waits until work is done, has failed, or the time is over. */
function settled(work: Promise<unknown>, timeoutMs: number, timer: Timer): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(timeoutMs, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}
