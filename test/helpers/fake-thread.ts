import { type AnyMessage, isReport, type WorkerReport } from "#app/node/threads/protocol.ts";

/** A thread played by the test: records received messages and sends what the test wants. */
export interface FakeThread<In> {
  readonly sent: In[];
  readonly cancelFlag: Int32Array;
  /** Port of the main thread. */
  readonly port: FakePort;
  readonly thread: {
    readonly name: string;
    readonly ended: Promise<string>;
    readonly port: FakePort;
    command(message: unknown): void;
    onReport(handler: (report: WorkerReport) => void): void;
    terminate(): Promise<void>;
    release(): void;
  };
  /** Sends a message to the listener. */
  tell(message: unknown): void;
  /** Makes the thread die. */
  die(reason: string): void;
  readonly isTerminated: boolean;
  readonly isReleased: boolean;
}

interface FakePort {
  send(message: unknown): void;
  listen(handler: (message: never) => void): void;
}

/**
 * Creates a {@link FakeThread}.
 *
 * @param answer - automatic response of the thread
 */
export function fakeThread<In>(
  name = "query",
  answer: (message: In) => unknown = () => undefined,
): FakeThread<In> {
  const sent: In[] = [];
  const reportHandlers: ((report: WorkerReport) => void)[] = [];
  let handle: (message: never) => void = () => undefined;
  const ended = Promise.withResolvers<string>();
  let isTerminated = false;
  let isReleased = false;
  const tell = (message: unknown): void => {
    if (isReport(message as AnyMessage)) {
      for (const handler of reportHandlers) handler(message as WorkerReport);
    } else handle(message as never);
  };
  const send = (message: unknown): void => {
    sent.push(message as In);
    const reply = answer(message as In);
    if (reply !== undefined) tell(reply);
  };
  const port: FakePort = { send, listen: (handler) => (handle = handler) };
  return {
    sent,
    cancelFlag: new Int32Array(new SharedArrayBuffer(4)),
    port,
    thread: {
      name,
      ended: ended.promise,
      port,
      command: send,
      onReport: (handler) => void reportHandlers.push(handler),
      terminate() {
        isTerminated = true;
        return Promise.resolve();
      },
      release() {
        isReleased = true;
      },
    },
    tell,
    die: ended.resolve,
    get isTerminated() {
      return isTerminated;
    },
    get isReleased() {
      return isReleased;
    },
  };
}
