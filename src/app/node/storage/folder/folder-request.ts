import type { ResetRequest } from "./reset-folder.ts";

/** Steps of a start on a data directory before its chain is opened. */
export interface FolderRequest {
  /** Deletes the existing chain first; `null` to continue it. */
  readonly reset: ResetRequest | null;
  /** Whether to start a new chain if the chain database is missing and other files of a chain are left. */
  readonly newChain: boolean;
  /**
   * Called once the directory is locked, before any chain data is written. Resolves to whether this node
   * makes block 0 of an empty chain; otherwise the block comes from another node.
   *
   * @throws {AppError} when the node must not start
   */
  readonly mayBegin: () => Promise<boolean>;
}

/**
 * {@link FolderRequest} of a node that does not share its chain, and was started without `--reset`
 * and `--new-chain`.
 */
export const ORDINARY_START: FolderRequest = {
  reset: null,
  newChain: false,
  mayBegin: () => Promise.resolve(true),
};
