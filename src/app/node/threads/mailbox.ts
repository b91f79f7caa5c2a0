/** Messages of a channel until, and after, somebody listens. */
export interface Mailbox<In> {
  /** A message has come. */
  deliver(message: In): void;
  /** Hands what has come, and what comes from now on, to `handler`, in order. Called once. */
  listen(handler: (message: In) => void): void;
}

/** An empty {@link Mailbox}. */
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
