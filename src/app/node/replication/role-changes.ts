import type { ChainView } from "../storage/chain/chain-view.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import type { RevertOrder } from "../threads/revert-messages.ts";
import type { ActiveRole } from "../threads/roles/active-role.ts";
import { SEQUENCER } from "../threads/roles/sequencer.ts";
import { STANDBY } from "../threads/roles/standby.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** What changing between following and leading works with. */
export interface RoleChangesDeps {
  readonly role: Pick<ActiveRole<RoleServices>, "change">;
  readonly view: Pick<ChainView, "reset"> & {
    readonly chain: Pick<ChainView["chain"], "latestNumber">;
  };
  /** What the threads are told who make blocks of an epoch. */
  readonly leaderSetup: (epoch: number) => NodeSetup;
  readonly standbySetup: NodeSetup;
  /** Notes in the database that blocks are made here. */
  readonly beginMaking: () => Promise<void>;
  /** Changes what is stored. */
  readonly revert: (order: RevertOrder) => Promise<void>;
}

/** Makes a running sequencer one that leads, or one that follows. */
export class RoleChanges {
  readonly #deps: RoleChangesDeps;

  constructor(deps: RoleChangesDeps) {
    this.#deps = deps;
  }

  /**
   * Makes blocks of an epoch from now on.
   *
   * @throws {NodeError} when a thread does not start, or the node is stopping
   * @throws {ConfigError} when the configuration contradicts the blocks that were taken
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
   * Takes blocks from now on. What is stored and was not shown is unwound: it is not published, or comes
   * back as others have it.
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
