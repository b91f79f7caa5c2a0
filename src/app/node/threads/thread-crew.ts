import { createRetainedMemory, createMemoryPermits } from "#engine/cairo/index.ts";
import { invariant, NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { ThreadEnd } from "../setup/thread-end.ts";
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

/** Time for all threads together to finish their work, in milliseconds. */
export const THREADS_STOP_MS = 2_000;

/**
 * Number of query threads that may run something that needs much memory at the same time. The executor always
 * may, and admission within its time limit of milliseconds. With the memory that machines keep between runs,
 * all together use at most three times the limit of one run.
 */
const MEMORY_PERMITS = 1;

/** Starts the thread of a name; reports its death. */
export type Spawn = <Name extends ThreadName>(
  name: Name,
  onDeath: (error: NodeError) => void,
) => WorkerThread<KindOf<Name>>;

/** Callbacks for failures of threads. */
export interface ThreadsListener {
  /** Called when a thread ends by itself, also while threads start; precedes {@link onFailure}. */
  onDeath(error: NodeError, thread: ThreadName): void;
  /** Called when a thread dies or reports an error after all have started: the node has to stop. */
  onFailure(error: NodeError): void;
}

/** Dependencies of {@link ThreadCrew}. */
export interface CrewDeps {
  readonly setup: NodeSetup;
  /** Order of start and stop, and connections. */
  readonly plan: ThreadPlan;
  /**
   * Threads that start after those of the plan, and stop with them. Nobody waits for their start, and only the main
   * thread reaches them.
   */
  readonly late: readonly PlannedKind[];
  /** Returns the cancel flag of a thread's Cairo machine. */
  readonly flagOf: (name: ThreadName) => Int32Array;
  readonly listener: ThreadsListener;
  readonly spawn: Spawn;
  readonly timer: Timer;
}

/** Part of a thread that is independent of its messages. */
type AnyThread = Omit<WorkerThread, "port">;

/** Threads that are started and stopped together. */
export class ThreadCrew {
  /** Resolves when all threads have started; rejects with a {@link NodeError} when one does not. */
  readonly started: Promise<void>;
  readonly #deps: CrewDeps;
  readonly #threads = new Map<ThreadName, AnyThread>();
  readonly #pulses = new Map<ThreadName, Pulse>();
  readonly #failure = Promise.withResolvers<never>();
  #isStarted = false;
  #isStopping = false;

  /**
   * Starts every thread of `names` in the stages of the plan, and connects them.
   *
   * @param onPort - receives the main thread's port of each
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
    const retainedMemory = createRetainedMemory().buffer;
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
        retainedMemory,
        pulse,
      };
      return startWorker(this.#get(name), init, deps.timer);
    };
    const failLate = (error: NodeError): void => {
      if (!this.#isStopping) this.#failed(error);
    };
    const startAll = async (): Promise<void> => {
      for (const stage of plan.start) await Promise.all(this.#namesOf(stage).map(start));
      this.#isStarted = true;
      for (const name of this.#namesOf(deps.late)) void start(name).catch(failLate);
    };
    this.started = Promise.race([startAll(), this.#failure.promise]);
    // Prevents an unhandled rejection if the node stops before it awaits the start.
    this.started.catch(() => undefined);
  }

  /** Progress of each thread; `undefined` while they start or stop. */
  get pulses(): ReadonlyMap<ThreadName, Pulse> | undefined {
    return this.#isStarted && !this.#isStopping ? this.#pulses : undefined;
  }

  /**
   * Stops all threads in the stages of the plan. All together have {@link THREADS_STOP_MS} to finish their
   * work. Threads that are still starting get the same time: one that is terminated in the middle leaves its
   * files open.
   *
   * @param end - what happens to threads that have finished
   */
  async stop(end: ThreadEnd): Promise<void> {
    this.#isStopping = true;
    const { flagOf, plan, late, timer } = this.#deps;
    const names = [...this.#threads.keys()];
    for (const name of names) Atomics.store(flagOf(name), 0, 1);
    const endsAtMs = timer.nowMs() + THREADS_STOP_MS;
    if (!this.#isStarted) await settled(this.started, THREADS_STOP_MS, timer);
    if (!this.#isStarted) {
      await Promise.all([...this.#threads.values()].map((thread) => thread.terminate()));
      return;
    }
    const stop = (name: ThreadName): Promise<void> =>
      stopWorker(this.#get(name), Math.max(0, endsAtMs - timer.nowMs()), timer, end);
    // They may still be loading: the others do not wait for them.
    const lateStops = this.#namesOf(late).map(stop);
    for (const stage of plan.stop) await Promise.all(this.#namesOf(stage).map(stop));
    await Promise.all(lateStops);
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

/** Waits until work has succeeded or failed, or until the timeout. */
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
