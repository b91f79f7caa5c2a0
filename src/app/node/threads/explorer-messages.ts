import type { IndexReport } from "#services/explorer-index/index.ts";

/** Messages of the main thread to the thread that fills the explorer's index. */
export type ToExplorer =
  /** Newest visible block; -1 before the first. Answers `headNeeded`, and is sent whenever it changes. */
  | { readonly kind: "head"; readonly number: number }
  /** A query thread has found the index damaged. */
  | { readonly kind: "rebuild"; readonly reason: string };

/** Messages of the thread that fills the explorer's index. */
export type FromExplorer =
  /** The thread has started, the first time or again, and waits for `head`. */
  | { readonly kind: "headNeeded" }
  /** Progress of the index. */
  | { readonly kind: "index"; readonly report: IndexReport };
