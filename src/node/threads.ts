import { availableParallelism } from "node:os";
import { invariant, type NodeError } from "#errors/index.ts";
import type { NodeSetup } from "./setup.ts";
import type { PortName } from "./workers/protocol.ts";
import { spawnWorker, startWorker, type WorkerName, type WorkerThread } from "./workers/spawn.ts";

/** How long a thread may take to finish what it has in hand. */
const STOP_TIMEOUT_MS = 10_000;

/** A running thread with the flag that cancels its Cairo machine. */
export interface NodeThread {
  readonly thread: WorkerThread;
  readonly cancelFlag: Int32Array;
}

/** The threads of a sequencer. */
export interface NodeThreads {
  /** Settles when all threads have started. */
  readonly started: Promise<void>;
  readonly admission: NodeThread;
  readonly executor: NodeThread;
  readonly committer: NodeThread;
  readonly queries: readonly NodeThread[];
  /** Stops all threads in the reverse order of the way of a transaction; each finishes its work. */
  stop(): Promise<void>;
}

/** Query threads: all cores but one, and at least two, so that long queries leave one to short ones. */
export function queryThreadCount(): number {
  return Math.max(2, availableParallelism() - 1);
}

/** Threads that load and wait for their setup. */
export interface LoadingThreads {
  readonly names: readonly PortName[];
  readonly threads: readonly WorkerThread[];
  terminate(): void;
}

/**
 * Starts to load every thread; needs no setup, so that it can run beside the opening of the database.
 *
 * @param onDeath - called when a thread ends by itself; the node has to stop then
 */
export function loadThreads(onDeath: (error: NodeError, thread: PortName) => void): LoadingThreads {
  const queryNames = Array.from({ length: queryThreadCount() }, (_, i) => `query-${i}` as const);
  const names: readonly PortName[] = ["committer", "admission", ...queryNames, "executor"];
  const threads = names.map((name) =>
    spawnWorker(entryOf(name), name, (error) => onDeath(error, name)),
  );
  return {
    names,
    threads,
    terminate() {
      for (const thread of threads) thread.terminate();
    },
  };
}

/**
 * Gives threads their setup and connects those that talk to each other. The executor comes last: when it
 * produces its first block, everybody listens.
 *
 * Messages sent to a thread before `started` settles are handled once it has started.
 *
 * @param onFailure - called when a thread reports an error; the node has to stop then
 * @throws {NodeError} (in `started`) when a thread does not start
 */
export function startThreads(
  setup: NodeSetup,
  { names, threads: spawned, terminate }: LoadingThreads,
  onFailure: (error: string) => void,
): NodeThreads {
  const queryNames = names.filter((name) => name.startsWith("query-"));
  const threads = new Map<PortName, NodeThread>();
  names.forEach((name, i) => {
    const thread = spawned[i];
    if (thread === undefined) return;
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
    threads.set(name, { thread, cancelFlag });
    thread.onMessage((message) => {
      const { kind, reason } = message as { readonly kind: string; readonly reason?: string };
      if (kind === "failed") onFailure(`${name}: ${reason ?? "unknown"}`);
    });
  });
  const ports = connect(names, [
    ["admission", "executor"],
    ["executor", "committer"],
    ["committer", "admission"],
    ...queryNames.flatMap((name) => [["executor", name] as const, ["committer", name] as const]),
  ]);
  const get = (name: PortName): NodeThread => {
    const thread = threads.get(name);
    invariant(thread !== undefined, `there is a thread ${name}`);
    return thread;
  };
  const start = (name: PortName): Promise<void> => {
    const { thread, cancelFlag } = get(name);
    return startWorker(thread, {
      setup,
      ports: ports.get(name) ?? {},
      cancelFlag: cancelFlag.buffer as SharedArrayBuffer,
    });
  };
  const startAll = async (): Promise<void> => {
    try {
      await Promise.all(names.filter((name) => name !== "executor").map(start));
      await start("executor");
    } catch (error) {
      terminate();
      throw error;
    }
  };
  return {
    started: startAll(),
    admission: get("admission"),
    executor: get("executor"),
    committer: get("committer"),
    queries: queryNames.map(get),
    async stop() {
      for (const { cancelFlag } of threads.values()) Atomics.store(cancelFlag, 0, 1);
      for (const name of ["executor", "admission", "committer"] as const) await stop(get(name));
      await Promise.all(queryNames.map((name) => stop(get(name))));
    },
  };
}

function entryOf(name: PortName): WorkerName {
  return name.startsWith("query-") ? "query" : (name as WorkerName);
}

/** A channel for each edge; every thread gets its ends by the other's name. */
function connect(
  names: readonly PortName[],
  edges: readonly (readonly [PortName, PortName])[],
): ReadonlyMap<PortName, Partial<Record<PortName, MessagePort>>> {
  const ports = new Map<PortName, Partial<Record<PortName, MessagePort>>>(
    names.map((name) => [name, {}]),
  );
  for (const [a, b] of edges) {
    const { port1, port2 } = new MessageChannel();
    const endsOfA = ports.get(a);
    const endsOfB = ports.get(b);
    if (endsOfA !== undefined) endsOfA[b] = port1;
    if (endsOfB !== undefined) endsOfB[a] = port2;
  }
  return ports;
}

async function stop({ thread }: NodeThread): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, STOP_TIMEOUT_MS);
    thread.onMessage((message) => {
      if ((message as { readonly kind: string }).kind !== "stopped") return;
      clearTimeout(timer);
      resolve();
    });
    thread.send({ kind: "stop" });
  });
  thread.terminate();
}
