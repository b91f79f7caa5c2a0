/**
 * One end of a typed, ordered channel between two services. Services receive ports instead of threads, so
 * that a unit test can hold the other end.
 *
 * Messages that arrive before {@link listen} are queued in order. A channel never loses or repeats a message,
 * and does not report that the other end has closed.
 */
export interface Port<In, Out> {
  /** Posts a copy of a message. Buffers in `transfer` move to the other end and become empty here. */
  send(message: Out, transfer?: ArrayBuffer[]): void;
  /** Passes every message to `handler`, in order. Call it only once. */
  listen(handler: (message: In) => void): void;
}

/** End of a channel on which a service only sends. */
export type Outlet<Out> = Pick<Port<never, Out>, "send">;
