import { availableParallelism } from "node:os";
import { createMemoryPermits } from "#engine/cairo/index.ts";
import { invariant, NodeError } from "#base/errors/index.ts";
import type { NodeSetup } from "./setup.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { connectThreads } from "./threads/connect.ts";
import type { PortBetween, RoleOf, ThreadName, ThreadRole } from "./threads/protocol.ts";
import { spawnWorker, startWorker, stopWorker, type WorkerThread } from "./threads/spawn.ts";

/** How long all threads together may take to finish what they have in hand. */
export const THREADS_STOP_MS = 2_000;

/**
 * Query threads that may run something that needs much memory at a time. Admission and executor
 * always may: all together take at most three times the limit of one run.
 */
const MEMORY_PERMITS = 1;

/** The main thread's end of a thread, with the flag that cancels its Cairo machine. */
export interface NodeThread<Role extends ThreadRole = ThreadRole> {
  readonly port: PortBetween<"main", Role>;
  readonly cancelFlag: Int32Array;
}

/** What starting and stopping needs of a thread, whatever it is told in between. */
interface SpawnedThread {
  readonly thread: Omit<WorkerThread, "port">;
  readonly cancelFlag: Int32Array;
}

/** The threads of a sequencer. */
export interface NodeThreads {
  /** Settles when all threads have started. */
  readonly started: Promise<void>;
  readonly admission: NodeThread<"admission">;
  readonly executor: NodeThread<"executor">;
  readonly committer: NodeThread<"committer">;
  readonly queries: readonly NodeThread<"query">[];
  /**
   * Stops all threads in the reverse order of the way of a transaction; each finishes what it has in
   * hand, for {@link THREADS_STOP_MS} together. Those that start are waited for as long: a thread that is
   * ended in the middle leaves its files open.
   */
  stop(): Promise<void>;
}

/** Query threads: all cores but one, and at least two, so that long queries leave one to short ones. */
export function queryThreadCount(cores = availableParallelism()): number {
  return Math.max(2, cores - 1);
}

/** Starts the thread of a name; tells of its death. */
export type Spawn = <Name extends ThreadName>(
  name: Name,
  onDeath: (error: NodeError) => void,
) => WorkerThread<RoleOf<Name>>;

/** Who is told what becomes of threads. */
export interface ThreadsListener {
  /** A thread ended by itself, while the others start too. Comes before {@link onFailure}. */
  onDeath(error: NodeError, thread: ThreadName): void;
  /** A thread died or reported an error after all had started: the node has to stop. */
  onFailure(error: NodeError): void;
}

/** Surroundings that tests replace. */
export interface ThreadsPorts {
  readonly spawn?: Spawn;
  readonly timer?: Timer;
}

/**
 * Starts every thread and connects those that talk to each other. The executor comes last: when it
 * produces its first block, everybody listens.
 *
 * Messages sent to a thread before `started` settles are handled once it has started.
 *
 * @throws {NodeError} (in `started`) when a thread does not start
 */
export function startThreads(
  setup: NodeSetup,
  { onFailure, onDeath }: ThreadsListener,
  { spawn = spawnWorker, timer = SYSTEM_TIMER }: ThreadsPorts = {},
): NodeThreads {
  const queryNames = Array.from({ length: queryThreadCount() }, (_, i) => `query-${i}` as const);
  const memoryPermits = createMemoryPermits(MEMORY_PERMITS);
  const failure = Promise.withResolvers<never>();
  let isStarted = false;
  const failed = (error: NodeError): void => {
    if (isStarted) onFailure(error);
    else failure.reject(error);
  };
  const threads = new Map<ThreadName, SpawnedThread>();
  const spawned = <Name extends ThreadName>(name: Name): NodeThread<RoleOf<Name>> => {
    const thread = spawn(name, (error) => {
      onDeath(error, name);
      failed(error);
    });
    thread.onReport((report) => {
      if (report.kind !== "failed") return;
      failed(new NodeError("NODE_WORKER_FAILED", `${name}: ${report.reason}`));
    });
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
    threads.set(name, { thread, cancelFlag });
    return { port: thread.port, cancelFlag };
  };
  const committer = spawned("committer");
  const admission = spawned("admission");
  const queries = queryNames.map(spawned<`query-${number}`>);
  const executor = spawned("executor");
  const names = [...threads.keys()];
  const ports = connectThreads(names, [
    ["admission", "executor"],
    ["executor", "committer"],
    ["committer", "admission"],
    ...queryNames.flatMap((name) => [["executor", name] as const, ["committer", name] as const]),
  ]);
  const get = (name: ThreadName): SpawnedThread => {
    const thread = threads.get(name);
    invariant(thread !== undefined, `there is a thread ${name}`);
    return thread;
  };
  const start = (name: ThreadName): Promise<void> => {
    const { thread, cancelFlag } = get(name);
    const init = {
      setup,
      ports: ports.get(name) ?? {},
      cancelFlag: cancelFlag.buffer as SharedArrayBuffer,
      memoryPermits: memoryPermits.buffer,
    };
    return startWorker(thread, init, timer);
  };
  const startAll = async (): Promise<void> => {
    await Promise.all(names.filter((name) => name !== "executor").map(start));
    await start("executor");
    isStarted = true;
  };
  const started = Promise.race([startAll(), failure.promise]);
  // Whoever waits sees the failure; a node that stops before that does not have to.
  started.catch(() => undefined);
  return {
    started,
    admission,
    executor,
    committer,
    queries,
    async stop() {
      for (const { cancelFlag } of threads.values()) Atomics.store(cancelFlag, 0, 1);
      const endsAtMs = timer.nowMs() + THREADS_STOP_MS;
      if (!isStarted) await settled(started, THREADS_STOP_MS, timer);
      if (!isStarted) {
        await Promise.all([...threads.values()].map(({ thread }) => thread.terminate()));
        return;
      }
      const stop = (name: ThreadName): Promise<void> =>
        stopWorker(get(name).thread, Math.max(0, endsAtMs - timer.nowMs()), timer);
      await stop("executor");
      await Promise.all(names.filter((name) => name !== "executor").map(stop));
    },
  };
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
