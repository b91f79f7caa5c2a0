import type { Port } from "#base/primitives/index.ts";
import type { AnyMessage } from "./protocol.ts";

/** Untyped channel of the runtime. */
export interface Channel {
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** Sets the handler; earlier messages are queued. */
  listen(handler: (message: AnyMessage) => void): void;
}

/** Types one end of a channel according to {@link Messages}. */
export function typedPort<In, Out>({ post, listen }: Channel): Port<In, Out> {
  return {
    send: (message, transfer = []) => post(message, transfer),
    // The only cast: the other end posts through a port of the same table, with In and Out swapped.
    listen: (handler) => listen((message) => handler(message as In)),
  };
}
