/**
 * One end of a typed, ordered channel between two services: what a service is given instead of a
 * thread, so that a unit test can stand at the other end.
 *
 * What arrives before {@link listen} waits, in order. A channel never loses or repeats a message, and
 * tells nobody when the other end is gone.
 */
export interface Port<In, Out> {
  /**
   * Posts a message; it is copied, but for the buffers in `transfer`, which move to the other end and
   * are empty here from then on.
   */
  send(message: Out, transfer?: ArrayBuffer[]): void;
  /** Hands every message to `handler`, in order. Called once. */
  listen(handler: (message: In) => void): void;
}

/** The end of a channel on which a service only posts. */
export type Outlet<Out> = Pick<Port<never, Out>, "send">;
