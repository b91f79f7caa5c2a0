import type { Caller } from "./limits/caller.ts";

/** What a transport tells besides the body. */
export interface ResponseNotes {
  /** Set when a request of the body found the node without room. */
  retryAfterSeconds: number | undefined;
  /** To be called when the text of the body is not needed any more. */
  readonly bodyTaken: () => void;
  /** To be told how many requests a batch has, before any of them is run. */
  readonly batchRead: (length: number) => void;
  /** Whether the transport gives its connections turns: a short body is then run in the present one. */
  readonly hasTurn: boolean;
  /** Who waits: what runs on a query thread is ended when nobody does any more. */
  readonly caller: Caller;
}
