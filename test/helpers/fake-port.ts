import type { Port } from "#base/primitives/index.ts";

/** One end of a channel at whose other end a test stands. */
export interface FakePort<In, Out> extends Port<In, Out> {
  /** What was posted, in order. */
  readonly sent: Out[];
  /** How many buffers moved with each of {@link sent}. */
  readonly moved: number[];
  /** Whether somebody listens. */
  readonly isHeard: boolean;
  /** Posts a message from the other end. */
  tell(message: In): void;
}

/**
 * Makes a {@link FakePort}.
 *
 * @param onSend - hears of each message when it is posted
 */
export function fakePort<In, Out>(
  onSend: (message: Out) => void = () => undefined,
): FakePort<In, Out> {
  const sent: Out[] = [];
  const moved: number[] = [];
  const waiting: In[] = [];
  let handle: ((message: In) => void) | undefined;
  return {
    sent,
    moved,
    send(message, transfer = []) {
      sent.push(message);
      moved.push(transfer.length);
      onSend(message);
    },
    listen(handler) {
      handle = handler;
      for (const message of waiting.splice(0)) handler(message);
    },
    get isHeard() {
      return handle !== undefined;
    },
    tell(message) {
      if (handle === undefined) waiting.push(message);
      else handle(message);
    },
  };
}
