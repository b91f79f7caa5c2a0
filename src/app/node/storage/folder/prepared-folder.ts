import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { DevAccount } from "#services/sequencer/index.ts";
import type { TakenFolder } from "./new-folder.ts";

/** A data directory that is locked and migrated; of a chain with a genesis it holds block 0. */
export interface PreparedFolder {
  readonly folder: TakenFolder;
  /** Block at which the chain goes on. */
  readonly nextBlock: number;
  /** The folder had blocks. */
  readonly isResumed: boolean;
  /** Class of development accounts; `null`: the chain has none of its own. */
  readonly accountClass: Felt | null;
  /** Class of the account that mints on request; `null`: there is none. */
  readonly faucetClass: Felt | null;
  /**
   * The funded accounts that the chain has. Computed when asked, with any state of the chain: it
   * takes longer than the rest of a start.
   */
  readonly accounts: (state: StateReader) => readonly DevAccount[];
}

/** A folder without development accounts. */
export const NO_ACCOUNTS: Pick<PreparedFolder, "accountClass" | "faucetClass" | "accounts"> = {
  accountClass: null,
  faucetClass: null,
  accounts: () => [],
};
