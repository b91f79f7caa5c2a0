/** A thread that a test plays: keeps what it was sent, says what the test wants. */
export interface FakeThread<In> {
  readonly sent: In[];
  readonly cancelFlag: Int32Array;
  readonly thread: {
    send(message: unknown): void;
    onMessage(handler: (message: unknown) => void): void;
  };
  /** Sends a message to whoever listens. */
  tell(message: unknown): void;
}

/** Makes a {@link FakeThread}. */
export function fakeThread<In>(): FakeThread<In> {
  const sent: In[] = [];
  const handlers: ((message: unknown) => void)[] = [];
  return {
    sent,
    cancelFlag: new Int32Array(new SharedArrayBuffer(4)),
    thread: {
      send: (message) => void sent.push(message as In),
      onMessage: (handler) => void handlers.push(handler),
    },
    tell: (message) => {
      for (const handler of handlers) handler(message);
    },
  };
}
