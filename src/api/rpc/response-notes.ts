import type { TakeRest } from "./context.ts";
import type { Caller } from "./limits/caller.ts";

/** Per-body channel between a transport and the dispatcher. */
export interface ResponseNotes {
  /** Set when the node had no room for a request of the body. */
  retryAfterSeconds: number | undefined;
  /** The dispatcher calls this once it no longer needs the text of the body. */
  readonly bodyConsumed: () => void;
  /** The dispatcher calls this with the number of requests of a batch before it runs any. */
  readonly batchRead: (length: number) => void;
  /**
   * Whether the transport already schedules turns for its connections: a short body then runs in the current
   * one.
   */
  readonly hasTurn: boolean;
  /** Receives the rest of a long response to a single request; `undefined` if such a response is an error. */
  readonly takeRest: TakeRest | undefined;
  /** Client that waits for the response; its queries are cancelled when it disconnects. */
  readonly caller: Caller;
}
