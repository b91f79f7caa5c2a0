import { invariant } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import { threadFailure } from "../setup/damaged-chain.ts";
import { Pulse, startPulse } from "./health/pulse.ts";
import { ThreadMemory, threadMemoryPorts } from "./health/thread-memory.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import {
  type AnyMessage,
  isCommand,
  type SeveralKind,
  type PortBetween,
  type KindOf,
  type ThreadName,
  type ThreadKind,
  type WorkerCommand,
  type WorkerInit,
  type WorkerReport,
} from "./protocol.ts";
import type { NodeFiles } from "../setup/node-files.ts";
import { typedPort } from "./typed-port.ts";

declare const self: {
  postMessage(message: unknown, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<AnyMessage>) => void) | null;
};

/** Context of a thread's service. */
export interface WorkerContext<Self extends ThreadKind> extends Omit<WorkerInit, "ports"> {
  /** Port to the main thread. Messages received before a listener is set are queued. */
  readonly main: PortBetween<Self, "main">;
  /** Returns this thread's port to another one; called once for each. */
  connect<Name extends ThreadName>(name: Name): PortBetween<Self, KindOf<Name>>;
  /** Returns this thread's ports to the query threads. */
  connectQueries(): PortBetween<Self, "query">[];
  /** Returns this thread's ports to the validators. */
  connectValidators(): PortBetween<Self, "validator">[];
}

/** Service of a started thread. */
export interface WorkerService {
  /** Drops caches, because the thread has been idle for a while. */
  forget(): void;
  /** As {@link PulseDeps.probe}. */
  probe(): void;
  /** Finishes work in progress and closes files. */
  stop(): void | Promise<void>;
}

/**
 * Runs a thread: reports that it has loaded, then starts and stops it on command. Any error stops the whole
 * node, because it is reported to the main thread.
 */
export function runWorker<Self extends ThreadKind>(
  _role: Self,
  start: (context: WorkerContext<Self>) => WorkerService | Promise<WorkerService>,
): void {
  const mailbox = createMailbox<AnyMessage>();
  let service: Promise<WorkerService> | undefined;
  let memory: ThreadMemory | undefined;
  let stopPulse = (): void => undefined;
  const obey = async (command: WorkerCommand): Promise<void> => {
    if (command.kind === "init") {
      startedWith = command.init.setup.files;
      const pulse = new Pulse(command.init.pulse);
      let probe = (): void => undefined;
      // The main thread waits for the start while the pulse beats.
      pulse.beat();
      stopPulse = startPulse({ pulse, probe: () => probe(), timer: SYSTEM_TIMER });
      service = Promise.resolve(start(createContext<Self>(command.init, mailbox)));
      const started = await service;
      memory = new ThreadMemory(threadMemoryPorts(started));
      memory.start();
      probe = () => started.probe();
      report({ kind: "started" });
    } else {
      memory?.stop();
      stopPulse();
      await (await service)?.stop();
      report({ kind: "stopped" });
    }
  };
  self.onmessage = ({ data }) => {
    if (isCommand(data)) obey(data).catch(fail);
    else mailbox.deliver(data);
  };
  report({ kind: "ready" });
}

/** Files of this thread's node; `undefined` until it is started. */
let startedWith: NodeFiles | undefined;

/** Reports an unrecoverable failure; the main thread then stops the node. */
export function fail(error: unknown): void {
  const reported = startedWith === undefined ? error : threadFailure(startedWith, error);
  report({ kind: "failed", reason: describeError(reported) });
}

function report(message: WorkerReport): void {
  self.postMessage(message);
}

function createContext<Self extends ThreadKind>(
  { ports, ...rest }: WorkerInit,
  mailbox: Mailbox<AnyMessage>,
): WorkerContext<Self> {
  const connect = <Name extends ThreadName>(name: Name): PortBetween<Self, KindOf<Name>> => {
    const port = ports[name];
    invariant(port !== undefined, `there is a connection with ${name}`);
    return typedPort({
      post: (message, transfer) => port.postMessage(message, transfer),
      // The runtime queues messages until a handler is set.
      listen: (handler) => {
        port.onmessage = ({ data }: { readonly data: AnyMessage }) => guard(handler, data);
      },
    });
  };
  return {
    ...rest,
    main: typedPort({
      post: (message, transfer) => self.postMessage(message, transfer),
      listen: (handler) => mailbox.listen((message) => guard(handler, message)),
    }),
    connect,
    connectQueries: () => namesOf("query", ports).map((name) => connect(name)),
    connectValidators: () => namesOf("validator", ports).map((name) => connect(name)),
  };
}

function namesOf<Kind extends SeveralKind>(kind: Kind, ports: object): `${Kind}-${number}`[] {
  const isOne = (name: string): name is `${Kind}-${number}` => name.startsWith(`${kind}-`);
  return Object.keys(ports).filter(isOne);
}

/** Calls a handler; its errors stop the node. */
function guard(handler: (message: AnyMessage) => void, message: AnyMessage): void {
  try {
    handler(message);
  } catch (error) {
    fail(error);
  }
}
