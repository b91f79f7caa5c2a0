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

/** A running thread. */
export interface WorkerThread {
  readonly name: string;
  send(message: unknown, transfer?: ArrayBuffer[]): void;
  onMessage(handler: (message: unknown) => void): void;
  /** Ends the thread at once; orderly ends go through a `stop` message first. */
  terminate(): void;
}

/**
 * Starts a thread and waits until it has loaded. Nothing may be posted before: messages to a worker
 * that has not finished loading are dropped.
 *
 * @param onDeath - called once when the thread fails or ends by itself
 * @throws {NodeError} NODE_WORKER_FAILED when the thread does not load in time
 */
export async function spawnWorker(
  name: WorkerName,
  label: string,
  onDeath: (error: NodeError) => void,
): Promise<WorkerThread> {
  const worker = new Worker(workerUrl(name), { name: label });
  let ended = false;
  let died = false;
  const dead = (reason: string): NodeError =>
    new NodeError("NODE_WORKER_FAILED", `the ${label} thread failed: ${reason}`);
  const die = (reason: string): void => {
    if (ended || died) return;
    died = true;
    onDeath(dead(reason));
  };
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(dead("it did not load in time")), START_TIMEOUT_MS);
    worker.addEventListener("error", (event) => {
      clearTimeout(timer);
      reject(dead(event.message));
      die(event.message);
    });
    worker.addEventListener("close", () => die("it ended"));
    worker.addEventListener("message", function ready(event: MessageEvent<FromWorker>) {
      if (event.data.kind !== "ready") return;
      clearTimeout(timer);
      worker.removeEventListener("message", ready);
      resolve();
    });
  });
  return {
    name: label,
    send: (message, transfer = []) => worker.postMessage(message, transfer),
    onMessage: (handler) =>
      worker.addEventListener("message", (event: MessageEvent<unknown>) => handler(event.data)),
    terminate: () => {
      ended = true;
      worker.terminate();
    },
  };
}

/**
 * Hands a loaded thread its setup and its ports to other threads, and waits until it has started.
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
