import { epochToLead, type Leadership } from "#services/replication/index.ts";
import { roleOf } from "../threads/roles/role-of.ts";
import type { SharedChain } from "./open-shared.ts";
import { standbySetup } from "./role-setups.ts";
import type { Role } from "../threads/roles/role.ts";
import { SEQUENCER } from "../threads/roles/sequencer.ts";
import { STANDBY } from "../threads/roles/standby.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";

/** What a node begins as. */
export interface StartStanding {
  readonly role: Role;
  /** What its threads are told. */
  readonly setup: NodeSetup;
  /** Begins to follow or to lead, once the threads are there. */
  readonly begin: (leadership: Leadership) => void;
}

/**
 * What a node begins as: of a chain that is shared, one that leads only where it has every block that was
 * published; else it takes them first, as a standby does.
 *
 * @param setup - of the options
 */
export function startStanding(
  options: Pick<NodeOptions, "devnet" | "follow" | "replication">,
  setup: NodeSetup,
  shared: SharedChain | null,
): StartStanding {
  const { replication } = options;
  if (replication === null || shared === null) {
    return { role: roleOf(options), setup, begin: () => undefined };
  }
  const { standing, leader, instance } = shared;
  const { store } = replication;
  if (replication.standby !== null || standing.storedBlock < standing.publishedBlock) {
    return {
      role: STANDBY,
      setup: standbySetup(setup, store),
      begin: (leadership) => leadership.follow(),
    };
  }
  const lead = epochToLead(leader, standing.epoch, instance);
  return {
    role: SEQUENCER,
    setup: { ...setup, follow: null, gate: { store, epoch: lead.epoch } },
    begin: (leadership) => leadership.lead(lead),
  };
}
