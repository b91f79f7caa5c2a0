import { NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { isCompiled } from "#io/processes/index.ts";
import { compileMachine } from "#kernels/vm/index.ts";
import type { ThreadEnd } from "../setup/thread-end.ts";
import { createMailbox } from "./mailbox.ts";
import {
  type AnyMessage,
  isReport,
  kindOf,
  type PortBetween,
  type KindOf,
  type ThreadName,
  type ThreadKind,
  type WorkerCommand,
  type WorkerInit,
  type WorkerReport,
} from "./protocol.ts";
import { Pulse } from "./health/pulse.ts";
import { loadProgress, watchStart } from "./start-watch.ts";
import { typedPort } from "./typed-port.ts";

/** Maximum wait for the end of a terminated thread, in milliseconds. */
const TERMINATE_TIMEOUT_MS = 300;

/** Folder of `src/app/node` that has the entry `NAME.thread.ts` of each kind of thread. */
const ENTRY_FOLDERS: Readonly<Record<ThreadKind, string>> = {
  admission: "admission",
  validator: "admission",
  executor: "production",
  committer: "production",
  explorer: "explorer",
  fork: "fork",
  hasher: "production",
  query: "query",
  reverter: "storage/revert",
  sync: "sync",
  verifier: "sync",
};

/** URL of a thread's entry: in the bundle of the compiled program, or in the source tree. */
function workerUrl(name: ThreadKind): string {
  const entry = `${ENTRY_FOLDERS[name]}/${name}.thread`;
  return isCompiled()
    ? `file:///$bunfs/root/src/app/node/${entry}.js`
    : new URL(`../${entry}.ts`, import.meta.url).href;
}

/** Thread that was started. */
export interface WorkerThread<Kind extends ThreadKind = ThreadKind> {
  readonly name: string;
  /** Port to the service in the thread. Messages posted while the thread loads are queued, in order. */
  readonly port: PortBetween<"main", Kind>;
  /** Resolves with the reason once the thread has died or was terminated. */
  readonly ended: Promise<string>;
  /** Sends a command to the thread itself, in order with messages on {@link port}. */
  command(command: WorkerCommand, transfer?: MessagePort[]): void;
  /** Adds a handler for the thread's future reports about itself. */
  onReport(handler: (report: WorkerReport) => void): void;
  /**
   * Terminates the thread immediately; an orderly end sends a `stop` message first. Resolves when the thread
   * has ended, or after {@link TERMINATE_TIMEOUT_MS}: a thread inside a kernel cannot be interrupted.
   */
  terminate(): Promise<void>;
  /** Leaves a thread that has finished its work to the end of the process, which it no longer delays. */
  release(): void;
}

/** Part of the runtime's `Worker` that threads need. */
export interface WorkerHandle {
  postMessage(message: unknown, transfer: (ArrayBuffer | MessagePort)[]): void;
  addEventListener(type: "message", listener: (event: { readonly data: AnyMessage }) => void): void;
  addEventListener(type: "error", listener: (event: { readonly message: string }) => void): void;
  addEventListener(type: "close", listener: () => void): void;
  terminate(): void;
  unref(): void;
}

/** Dependencies of {@link spawnWorker}. */
export interface SpawnDeps {
  /** Maximum silence of a loading thread, in milliseconds. */
  readonly startTimeoutMs: number;
  /** Processor time of the process, in milliseconds. */
  readonly processorMs: () => number;
  readonly timer: Timer;
}

/**
 * Starts a thread without waiting for it.
 *
 * @param onDeath - as {@link createThread}
 */
export function spawnWorker<Name extends ThreadName>(
  name: Name,
  onDeath: (error: NodeError) => void,
  deps: SpawnDeps,
): WorkerThread<KindOf<Name>> {
  compileMachine();
  const worker = new Worker(workerUrl(kindOf(name)), { name });
  return createThread(worker as unknown as WorkerHandle, name, onDeath, deps);
}

interface Waiting {
  readonly message: unknown;
  readonly transfer: (ArrayBuffer | MessagePort)[];
}

/**
 * Wraps a new worker. The runtime drops messages to a worker that has not finished loading, so they are
 * queued here until the thread reports ready.
 *
 * @param onDeath - called once when the thread does not load, fails or ends by itself
 */
export function createThread<Kind extends ThreadKind>(
  worker: WorkerHandle,
  label: string,
  onDeath: (error: NodeError) => void,
  { startTimeoutMs, processorMs, timer }: SpawnDeps,
): WorkerThread<Kind> {
  const mailbox = createMailbox<AnyMessage>();
  const reportHandlers: ((report: WorkerReport) => void)[] = [];
  let waiting: Waiting[] | undefined = [];
  const ended = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  let isEnded = false;
  const end = (reason: string): void => {
    isEnded = true;
    cancelLoading();
    ended.resolve(reason);
  };
  const die = (reason: string): void => {
    if (isEnded) return;
    end(reason);
    onDeath(new NodeError("NODE_WORKER_FAILED", `the ${label} thread failed: ${reason}`));
  };
  const cancelLoading = watchStart({
    progress: loadProgress({ processorMs, nowMs: () => timer.nowMs() }),
    limitMs: startTimeoutMs,
    onSilence: () => die(silence("it did not load", startTimeoutMs)),
    timer,
  });
  worker.addEventListener("error", (event) => die(event.message));
  worker.addEventListener("close", () => {
    closed.resolve();
    die("it ended");
  });
  worker.addEventListener("message", ({ data }) => {
    if (!isReport(data)) mailbox.deliver(data);
    else if (data.kind === "ready") flush();
    else for (const handler of reportHandlers) handler(data);
  });
  const flush = (): void => {
    if (waiting === undefined) return;
    cancelLoading();
    for (const { message, transfer } of waiting) worker.postMessage(message, transfer);
    waiting = undefined;
  };
  const post = (message: unknown, transfer: (ArrayBuffer | MessagePort)[] = []): void => {
    if (waiting === undefined) worker.postMessage(message, transfer);
    else waiting.push({ message, transfer });
  };
  return {
    name: label,
    ended: ended.promise,
    port: typedPort({ post, listen: (handler) => mailbox.listen(handler) }),
    command: post,
    onReport: (handler) => void reportHandlers.push(handler),
    terminate() {
      end("it was terminated");
      worker.terminate();
      timer.after(TERMINATE_TIMEOUT_MS, () => closed.resolve());
      return closed.promise;
    },
    release() {
      end("it was released");
      worker.unref();
    },
  };
}

/**
 * Sends a thread its setup and its ports, and waits until it has started, as long as its pulse shows
 * progress.
 *
 * @throws {NodeError} NODE_WORKER_FAILED with the thread's message, or when it ends or makes no progress for
 *   `startTimeoutMs` of the setup
 */
export async function startWorker(
  thread: Pick<WorkerThread, "name" | "ended" | "command" | "onReport">,
  init: WorkerInit,
  timer: Timer,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (text: string): void => reject(new NodeError("NODE_WORKER_FAILED", text));
  const { startTimeoutMs } = init.setup;
  const pulse = new Pulse(init.pulse);
  const cancel = watchStart({
    progress: () => pulse.count,
    limitMs: startTimeoutMs,
    onSilence() {
      const what = `the ${thread.name} thread made no progress with its start`;
      fail(silence(what, startTimeoutMs));
    },
    timer,
  });
  void thread.ended.then((reason) => fail(`the ${thread.name} thread failed: ${reason}`));
  thread.onReport((report) => {
    if (report.kind === "started") resolve();
    else if (report.kind === "failed") fail(`${thread.name}: ${report.reason}`);
  });
  const ports = Object.values(init.ports).filter((port) => port !== undefined);
  thread.command({ kind: "init", init }, ports);
  try {
    await promise;
  } finally {
    cancel();
  }
}

function silence(what: string, timeoutMs: number): string {
  return `${what} for ${timeoutMs / 1000} s: its disk hangs, or the machine is overloaded; --start-timeout sets this time`;
}

/**
 * Requests an orderly stop of a thread, then terminates or releases it. A thread that does not finish in time
 * is always terminated.
 *
 * @param timeoutMs - maximum wait for the stop; a dead thread needs none
 */
export async function stopWorker(
  thread: Pick<WorkerThread, "ended" | "command" | "onReport" | "terminate" | "release">,
  timeoutMs: number,
  timer: Timer,
  end: ThreadEnd,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<ThreadEnd>();
  const cancel = timer.after(timeoutMs, () => resolve("terminate"));
  void thread.ended.then(() => resolve("terminate"));
  thread.onReport((report) => {
    if (report.kind === "stopped") resolve(end);
  });
  thread.command({ kind: "stop" });
  const suitable = await promise;
  cancel();
  if (suitable === "release") thread.release();
  else await thread.terminate();
}
