/**
 * Preloaded by a node that runs from source, and by each of its threads: records calls into the
 * thread and messages that it posts. A file `dump` in the folder `TRACE_DIR` makes every thread
 * write its record next to it. The node itself is unaware of this.
 */
import { Database } from "bun:sqlite";
import { existsSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { clockUs, labelOf, type ThreadTrace, TurnRecorder } from "./thread-trace.ts";

type Listener = (event: { readonly data: unknown }) => void;

const LOOK_MS = 200;
const folder = process.env["TRACE_DIR"] ?? "";
const thread = isMainThread ? "main" : (process.env["TRACE_THREAD"] ?? "worker");
const recorder = new TurnRecorder();

/** Wraps a listener so that each message is a turn. */
function recorded(listener: Listener): Listener {
  return (event) => recorder.run(labelOf(event.data), () => listener(event));
}

/** Replaces `postMessage` by a version that notes its calls; the first argument is the message. */
function notePosts(target: object): void {
  const owner = target as { postMessage: (message: unknown, ...rest: unknown[]) => void };
  const { postMessage } = owner;
  owner.postMessage = function (this: object, message, ...rest) {
    recorder.note(`posts ${labelOf(message)}`);
    postMessage.call(this, message, ...rest);
  };
}

/** Makes each message to `onmessage` of an object a turn. */
function recordOnMessage(target: object): void {
  Object.defineProperty(target, "onmessage", {
    configurable: true,
    set(this: EventTarget & { start?: () => void }, listener: Listener) {
      this.addEventListener("message", recorded(listener) as unknown as EventListener);
      this.start?.();
    },
  });
}

notePosts(MessagePort.prototype);
recordOnMessage(MessagePort.prototype);
if (isMainThread) {
  const Plain = globalThis.Worker;
  class TracedWorker extends Plain {
    constructor(url: string | URL, options: WorkerOptions = {}) {
      const env = { ...process.env, TRACE_THREAD: options.name ?? "worker" };
      super(url, { ...options, preload: [import.meta.path], env } as WorkerOptions);
    }

    override addEventListener(type: string, listener: unknown): void {
      const own = type === "message" ? recorded(listener as Listener) : listener;
      super.addEventListener(type as "message", own as (event: MessageEvent) => void);
    }
  }
  notePosts(TracedWorker.prototype);
  globalThis.Worker = TracedWorker as unknown as typeof Worker;
} else {
  notePosts(globalThis);
  recordOnMessage(globalThis);
}

for (const name of ["setImmediate", "setTimeout"] as const) {
  const owner = globalThis as unknown as Record<string, (...args: unknown[]) => unknown>;
  const plain = owner[name] as (...args: unknown[]) => unknown;
  const label = name === "setImmediate" ? "end of the turn" : "timer";
  owner[name] = (callback: unknown, ...rest: unknown[]) =>
    plain(
      (...args: unknown[]) =>
        recorder.run(label, () => (callback as (...values: unknown[]) => unknown)(...args)),
      ...rest,
    );
}

const listen = Bun.listen.bind(Bun);
Bun.listen = ((options: Bun.TCPSocketListenOptions<unknown>) => {
  const { socket } = options;
  const { data } = socket;
  return listen({
    ...options,
    socket: {
      ...socket,
      data: (own, bytes) => recorder.run("bytes of a connection", () => data?.(own, bytes)),
    },
  });
}) as typeof Bun.listen;

interface Transaction {
  (...args: unknown[]): unknown;
  readonly immediate: (...args: unknown[]) => unknown;
}
const { transaction } = Database.prototype;
(Database.prototype as unknown as { transaction: unknown }).transaction = function (
  this: Database,
  work: (...args: unknown[]) => unknown,
): unknown {
  let workedUs = 0;
  const made = transaction.call(this, (...args: unknown[]) => {
    const found = work(...args);
    workedUs = clockUs();
    return found;
  }) as unknown as Transaction;
  const noted =
    (run: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const startUs = clockUs();
      const found = run(...args);
      const endUs = clockUs();
      const name = this.filename.split("/").at(-1) ?? "";
      if (this.inTransaction) return found;
      const [ms, commitMs] = [endUs - startUs, endUs - workedUs].map((us) => us / 1000);
      recorder.note(`${name}: ${ms?.toFixed(2)} ms, ${commitMs?.toFixed(2)} of it commit`);
      return found;
    };
  return Object.assign(noted(made), made, { immediate: noted(made.immediate) });
};

const timer = setInterval(() => {
  if (!existsSync(`${folder}/dump`)) return;
  clearInterval(timer);
  const trace: ThreadTrace = { thread, turns: recorder.turns };
  writeFileSync(`${folder}/${thread}.json`, JSON.stringify(trace));
}, LOOK_MS);
timer.unref();
