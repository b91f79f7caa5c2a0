import type { Port } from "#base/primitives/index.ts";

/**
 * Port for the code under test, whose other end the test plays: it reads sent messages and sends
 * its own.
 */
export interface FakePort<In, Out> extends Port<In, Out> {
  /** Posted messages, in order. */
  readonly sent: Out[];
  /** Number of transferred buffers of each message in {@link sent}. */
  readonly moved: number[];
  /** Whether a listener is attached. */
  readonly isHeard: boolean;
  /** Sends a message from the other end. */
  tell(message: In): void;
}

/**
 * Creates a {@link FakePort}.
 *
 * @param onSend - called with each posted message
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
