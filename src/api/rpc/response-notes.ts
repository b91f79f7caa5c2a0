import type { TakeRest } from "./context.ts";
import type { Caller } from "./limits/caller.ts";

/** What a transport passes along with a body. */
export interface ResponseNotes {
  /** Set when a request of the body found the node without room. */
  retryAfterSeconds: number | undefined;
  /** The dispatcher calls this once it no longer needs the text of the body. */
  readonly bodyTaken: () => void;
  /** The dispatcher calls this with the number of requests of a batch before it runs any. */
  readonly batchRead: (length: number) => void;
  /** Whether the transport gives its connections turns: a short body is then run in the present one. */
  readonly hasTurn: boolean;
  /** Takes the rest of a long answer to a request that stands alone; `undefined`: such an answer is an error. */
  readonly takeRest: TakeRest | undefined;
  /** Client that waits for the response; when it leaves, its queries end. */
  readonly caller: Caller;
}
