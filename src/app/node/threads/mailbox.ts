/** Queue for messages that arrive before a listener is set. */
export interface Mailbox<In> {
  /** A message has come. */
  deliver(message: In): void;
  /** Passes all messages, past and future, to `handler`, in order. Called once. */
  listen(handler: (message: In) => void): void;
}

/** Creates an empty {@link Mailbox}. */
export function createMailbox<In>(): Mailbox<In> {
  let handle: ((message: In) => void) | undefined;
  const waiting: In[] = [];
  return {
    deliver(message) {
      if (handle === undefined) waiting.push(message);
      else handle(message);
    },
    listen(handler) {
      handle = handler;
      for (const message of waiting.splice(0)) handler(message);
    },
  };
}
