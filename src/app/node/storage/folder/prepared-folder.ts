import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { DevAccount } from "#services/sequencer/index.ts";
import type { LockedFolder } from "./new-folder.ts";

/** Data directory that is locked and migrated; it holds block 0 if the chain has a genesis. */
export interface PreparedFolder {
  readonly folder: LockedFolder;
  readonly nextBlock: number;
  /** Whether the folder already had blocks. */
  readonly isResumed: boolean;
  /** Class of development accounts; `null` if the chain has none. */
  readonly accountClass: Felt | null;
  /** Class of the faucet account; `null` if the chain has none. */
  readonly faucetClass: Felt | null;
  /**
   * Returns the funded accounts of the chain, for any of its states. Computed on demand: it takes longer than
   * the rest of a start.
   */
  readonly accounts: (state: StateReader) => readonly DevAccount[];
}

/** Account members of a {@link PreparedFolder} without development accounts. */
export const NO_ACCOUNTS: Pick<PreparedFolder, "accountClass" | "faucetClass" | "accounts"> = {
  accountClass: null,
  faucetClass: null,
  accounts: () => [],
};
