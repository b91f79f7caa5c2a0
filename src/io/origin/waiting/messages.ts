import type { OriginQuery } from "../query.ts";

/**
 * Messages of a waiting thread to the thread that reads the origin. The answers are passed in
 * shared memory, except of `fetch`.
 */
export type OriginRequest =
  /** Sent first: the memory of the answers. */
  | { readonly kind: "page"; readonly page: SharedArrayBuffer }
  /** Asks for a value. If it must be fetched, so are its companions. */
  | {
      readonly kind: "ask";
      readonly id: number;
      readonly query: OriginQuery;
      readonly companions: readonly OriginQuery[];
    }
  /** Asks for the next piece of an answer. */
  | { readonly kind: "more"; readonly id: number }
  /** Asks to cache values that will probably be read soon, and the classes that they name. Nobody waits for them. */
  | { readonly kind: "prefetch"; readonly queries: readonly OriginQuery[] }
  /** Asks for values without waiting in shared memory: an {@link OriginReply} follows. */
  | { readonly kind: "fetch"; readonly id: number; readonly queries: readonly OriginQuery[] };

/** Message with the values of a `fetch` request. */
export interface OriginReply {
  readonly kind: "fetched";
  readonly id: number;
  /** Values that are known; `null` if the origin has no such value. */
  readonly values: readonly { readonly query: OriginQuery; readonly value: Uint8Array | null }[];
  /** Encoded failure of the first value that is not known; `null` if all are. */
  readonly failure: Uint8Array | null;
}
