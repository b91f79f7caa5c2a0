import type { OriginQuery } from "../query.ts";

/** Messages of a waiting thread to the thread that reads the origin. It answers in shared memory. */
export type OriginRequest =
  /** Sent first: the memory of the answers. */
  | { readonly kind: "page"; readonly page: SharedArrayBuffer }
  | { readonly kind: "ask"; readonly id: number; readonly query: OriginQuery }
  /** Asks for the next piece of an answer. */
  | { readonly kind: "more"; readonly id: number }
  /** Asks to cache values that will probably be read soon. Nobody waits for them. */
  | { readonly kind: "prefetch"; readonly queries: readonly OriginQuery[] };
