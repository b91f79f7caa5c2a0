import type { Port } from "#base/primitives/index.ts";
import type { AnyMessage } from "./protocol.ts";

/** A channel of the runtime, which knows nothing of what is posted on it. */
export interface Channel {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** What comes before waits. */
  listen(handler: (message: AnyMessage) => void): void;
}

/** One end of a channel with the types of the table of messages. */
export function typedPort<In, Out>({ post, listen }: Channel): Port<In, Out> {
  return {
    send: (message, transfer = []) => post(message, transfer),
    // The one cast: the other end posts through a port of the same table, with In and Out swapped.
    listen: (handler) => listen((message) => handler(message as In)),
  };
}
