/** A thread that a test plays: keeps what it was sent, says what the test wants. */
export interface FakeThread<In> {
  readonly sent: In[];
  readonly cancelFlag: Int32Array;
  readonly thread: {
    readonly name: string;
    readonly ended: Promise<string>;
    send(message: unknown): void;
    onMessage(handler: (message: unknown) => void): void;
    terminate(): Promise<void>;
  };
  /** Sends a message to whoever listens. */
  tell(message: unknown): void;
  /** Lets the thread die. */
  die(reason: string): void;
  readonly isTerminated: boolean;
}

/**
 * Makes a {@link FakeThread}.
 *
 * @param answer - what the thread answers by itself
 */
export function fakeThread<In>(
  name = "query",
  answer: (message: In) => unknown = () => undefined,
): FakeThread<In> {
  const sent: In[] = [];
  const handlers: ((message: unknown) => void)[] = [];
  const ended = Promise.withResolvers<string>();
  let isTerminated = false;
  const tell = (message: unknown): void => {
    for (const handler of handlers) handler(message);
  };
  return {
    sent,
    cancelFlag: new Int32Array(new SharedArrayBuffer(4)),
    thread: {
      name,
      ended: ended.promise,
      send(message) {
        sent.push(message as In);
        const reply = answer(message as In);
        if (reply !== undefined) tell(reply);
      },
      onMessage: (handler) => void handlers.push(handler),
      terminate() {
        isTerminated = true;
        return Promise.resolve();
      },
    },
    tell,
    die: ended.resolve,
    get isTerminated() {
      return isTerminated;
    },
  };
}
