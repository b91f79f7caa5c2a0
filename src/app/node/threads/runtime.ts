import { describeError } from "#base/telemetry/index.ts";
import type { PortName, WorkerInit } from "./protocol.ts";

declare const self: {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
};

/** What a thread works with once it is started. */
export interface WorkerContext extends WorkerInit {
  /** Posts to the main thread. */
  send(message: unknown, transfer?: ArrayBuffer[]): void;
  /** The port to another thread, with its handler; the port queues until then. */
  connect<In>(name: PortName, handler: (message: In) => void): Port;
  /** All ports whose name starts with `prefix`. */
  portNames(prefix: string): PortName[];
}

/** One end of a connection to another thread. */
export interface Port {
  send(message: unknown, transfer?: ArrayBuffer[]): void;
}

/** A started thread: handles the main thread's messages and ends in order. */
export interface WorkerService {
  handle(message: unknown): void;
  /** Finishes what is in hand and closes files. */
  stop(): void | Promise<void>;
}

/**
 * Runs a thread: tells that it has loaded, starts it with the setup that it is given, hands it every
 * message. Anything thrown ends the whole node: the main thread sees the failure.
 */
export function runWorker(start: (context: WorkerContext) => Promise<WorkerService>): void {
  // Messages that arrive while the thread starts wait for it, in order.
  let service: Promise<WorkerService> | undefined;
  const handle = async (message: { readonly kind: string }): Promise<void> => {
    if (message.kind === "init") {
      service = start(createContext(message as unknown as WorkerInit));
      await service;
      self.postMessage({ kind: "started" });
    } else if (message.kind === "stop") {
      await (await service)?.stop();
      self.postMessage({ kind: "stopped" });
    } else (await service)?.handle(message);
  };
  self.onmessage = (event) => {
    handle(event.data as { readonly kind: string }).catch((error: unknown) => fail(error));
  };
  self.postMessage({ kind: "ready" });
}

/** Reports a failure from which the thread can not go on; the main thread stops the node. */
export function fail(error: unknown): void {
  self.postMessage({ kind: "failed", reason: describeError(error) });
}

function createContext(init: WorkerInit): WorkerContext {
  return {
    ...init,
    send: (message, transfer = []) => self.postMessage(message, transfer),
    connect: (name, handler) => {
      const port = init.ports[name];
      if (port === undefined) return { send: () => undefined };
      port.onmessage = (event) => {
        try {
          handler(event.data as Parameters<typeof handler>[0]);
        } catch (error) {
          fail(error);
        }
      };
      return { send: (message, transfer = []) => port.postMessage(message, transfer) };
    },
    portNames: (prefix) =>
      (Object.keys(init.ports) as PortName[]).filter((name) => name.startsWith(prefix)),
  };
}
