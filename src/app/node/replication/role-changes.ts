import type { ChainView } from "../storage/chain/chain-view.ts";
import type { RevertOrder } from "../threads/revert-messages.ts";
import type { ActiveRole } from "./active-role.ts";
import { SEQUENCER } from "../threads/roles/sequencer.ts";
import { STANDBY } from "../threads/roles/standby.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Dependencies of {@link RoleChanges}. */
export interface RoleChangesDeps {
  readonly role: Pick<ActiveRole, "change">;
  readonly view: Pick<ChainView, "reset"> & {
    readonly chain: Pick<ChainView["chain"], "latestNumber">;
  };
  /** Setup of the threads that produce blocks of an epoch. */
  readonly leaderSetup: (epoch: number) => NodeSetup;
  readonly standbySetup: NodeSetup;
  /** Records in the database that this node produces the next blocks. */
  readonly beginMaking: () => Promise<void>;
  /** Reverts the stored chain. */
  readonly revert: (order: RevertOrder) => Promise<void>;
}

/** Switches a running sequencer between leading and following. */
export class RoleChanges {
  readonly #deps: RoleChangesDeps;

  constructor(deps: RoleChangesDeps) {
    this.#deps = deps;
  }

  /**
   * Starts producing blocks of an epoch.
   *
   * @throws {NodeError} when a thread does not start, or the node is stopping
   * @throws {ConfigError} when the configuration contradicts the synced blocks
   */
  async lead(epoch: number): Promise<void> {
    const { role, view, leaderSetup, beginMaking } = this.#deps;
    await role.change({
      role: SEQUENCER,
      setup: leaderSetup(epoch),
      async work() {
        await beginMaking();
        view.reset(undefined);
      },
    });
  }

  /**
   * Starts following. Stored blocks that are not visible are reverted: they were not published, or come back
   * as published by another sequencer.
   *
   * @throws {NodeError} as {@link lead}
   * @throws {StorageError} when the chain cannot be reverted
   */
  async follow(): Promise<void> {
    const { role, view, standbySetup, revert } = this.#deps;
    await role.change({
      role: STANDBY,
      setup: standbySetup,
      async work() {
        const blockNumber = view.chain.latestNumber();
        if (blockNumber !== undefined) {
          await revert({ blockNumber, keepReceived: true, keepL1Accepted: true });
        }
        view.reset(undefined);
      },
    });
  }
}
