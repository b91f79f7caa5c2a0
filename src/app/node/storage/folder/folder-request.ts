import type { ResetRequest } from "./reset-folder.ts";

/** What a start does with a data directory before its chain is opened. */
export interface FolderRequest {
  /** Deletes the chain that is there first; `null`: it continues. */
  readonly reset: ResetRequest | null;
  /** Begins a new chain where the chain database is missing and other files of a chain are left. */
  readonly newChain: boolean;
  /**
   * Called once the directory is locked, before anything of a chain is written there. Resolves to whether
   * this node makes block 0 of a chain that has none; otherwise it takes that block from others.
   *
   * @throws {AppError} when the node must not start
   */
  readonly mayBegin: () => Promise<boolean>;
}

/** A start of a node that shares its chain with nobody. */
export const ORDINARY_START: FolderRequest = {
  reset: null,
  newChain: false,
  mayBegin: () => Promise.resolve(true),
};
