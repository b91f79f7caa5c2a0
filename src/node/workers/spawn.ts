import { NodeError } from "#errors/index.ts";
import type { FromWorker, WorkerInit } from "./protocol.ts";

/** The threads of a node; each has an entry file `<name>.worker.ts` beside this one. */
export const WORKER_NAMES = ["admission", "executor", "committer", "query"] as const;

/** A thread of the node. */
export type WorkerName = (typeof WORKER_NAMES)[number];

/** How long a thread may take to load and to start. */
const START_TIMEOUT_MS = 30_000;

/** Whether this code runs from the compiled executable. */
export function isCompiled(): boolean {
  return import.meta.url.includes("/$bunfs/") || import.meta.url.includes("~BUN");
}

/** Entry of a worker in both forms of the program: bundled, and beside this file. */
function workerUrl(name: WorkerName): string {
  return isCompiled()
    ? `file:///$bunfs/root/src/node/workers/${name}.worker.js`
    : new URL(`./${name}.worker.ts`, import.meta.url).href;
}

/** A thread that was started. */
export interface WorkerThread {
  readonly name: string;
  /** Settles once the thread has loaded. */
  readonly loaded: Promise<void>;
  /** Posts a message; what is posted while the thread loads waits, in order. */
  send(message: unknown, transfer?: ArrayBuffer[]): void;
  onMessage(handler: (message: unknown) => void): void;
  /** Ends the thread at once; orderly ends go through a `stop` message first. */
  terminate(): void;
}

interface Waiting {
  readonly message: unknown;
  readonly transfer: ArrayBuffer[];
}

/**
 * Starts a thread without waiting for it. The runtime drops messages to a worker that has not
 * finished loading, so they are kept here until the thread says that it is ready.
 *
 * @param onDeath - called once when the thread does not load in time, fails or ends by itself
 */
export function spawnWorker(
  name: WorkerName,
  label: string,
  onDeath: (error: NodeError) => void,
): WorkerThread {
  const worker = new Worker(workerUrl(name), { name: label });
  let waiting: Waiting[] | undefined = [];
  let ended = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const die = (reason: string): void => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    const error = new NodeError("NODE_WORKER_FAILED", `the ${label} thread failed: ${reason}`);
    reject(error);
    onDeath(error);
  };
  const timer = setTimeout(() => die("it did not load in time"), START_TIMEOUT_MS);
  // Whoever waits for the thread sees the failure; nobody has to.
  promise.catch(() => undefined);
  worker.addEventListener("error", (event) => die(event.message));
  worker.addEventListener("close", () => die("it ended"));
  worker.addEventListener("message", function ready(event: MessageEvent<FromWorker>) {
    if (event.data.kind !== "ready") return;
    clearTimeout(timer);
    worker.removeEventListener("message", ready);
    for (const { message, transfer } of waiting ?? []) worker.postMessage(message, transfer);
    waiting = undefined;
    resolve();
  });
  return {
    name: label,
    loaded: promise,
    send(message, transfer = []) {
      if (waiting === undefined) worker.postMessage(message, transfer);
      else waiting.push({ message, transfer });
    },
    onMessage: (handler) =>
      worker.addEventListener("message", (event: MessageEvent<unknown>) => handler(event.data)),
    terminate() {
      ended = true;
      clearTimeout(timer);
      worker.terminate();
    },
  };
}

/**
 * Hands a thread its setup and its ports to other threads, and waits until it has started.
 *
 * @throws {NodeError} NODE_WORKER_FAILED with the thread's own message
 */
export async function startWorker(thread: WorkerThread, init: WorkerInit): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(
        new NodeError("NODE_WORKER_FAILED", `the ${thread.name} thread did not start in time`),
      );
    }, START_TIMEOUT_MS);
    thread.onMessage((message) => {
      const { kind } = message as FromWorker;
      if (kind === "started") {
        clearTimeout(timer);
        resolve();
      } else if (kind === "failed") {
        clearTimeout(timer);
        const { reason } = message as Extract<FromWorker, { kind: "failed" }>;
        reject(new NodeError("NODE_WORKER_FAILED", `${thread.name}: ${reason}`));
      }
    });
    const ports = Object.values(init.ports);
    thread.send({ kind: "init", ...init }, ports as unknown as ArrayBuffer[]);
  });
}
