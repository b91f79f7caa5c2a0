import { epochToLead, type Leadership } from "#services/replication/index.ts";
import { roleOf } from "../threads/roles/role-of.ts";
import type { SharedChain } from "./open-shared.ts";
import { standbySetup } from "./role-setups.ts";
import type { Role } from "../threads/roles/role.ts";
import { SEQUENCER } from "../threads/roles/sequencer.ts";
import { STANDBY } from "../threads/roles/standby.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** Result of choosing the role that a node starts in: sequencer, standby or full node. */
export interface InitialRole {
  readonly role: Role;
  /** Setup of the node's threads in this role. */
  readonly setup: NodeSetup;
  /** Starts following or leading; called once the role is active. */
  readonly begin: (leadership: Leadership) => void;
}

/**
 * Determines the initial role of a node. On a shared chain, it leads only if it has every published block;
 * otherwise it syncs them first, as a standby.
 *
 * @param setup - setup from the options
 */
export function initialRoleOf(
  options: Pick<NodeOptions, "devnet" | "follow" | "fork" | "replication">,
  setup: NodeSetup,
  shared: SharedChain | null,
): InitialRole {
  const { replication } = options;
  if (replication === null || shared === null) {
    return { role: roleOf(options), setup, begin: () => undefined };
  }
  const { position, leader, instance } = shared;
  const { store } = replication;
  if (replication.standby !== null || position.storedBlock < position.publishedBlock) {
    return {
      role: STANDBY,
      setup: standbySetup(setup, store),
      begin: (leadership) => leadership.follow(),
    };
  }
  const lead = epochToLead(leader, position.epoch, instance);
  return {
    role: SEQUENCER,
    setup: { ...setup, follow: null, gate: { store, epoch: lead.epoch } },
    begin: (leadership) => leadership.lead(lead),
  };
}
