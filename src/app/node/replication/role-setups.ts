import type { ObjectStoreOptions } from "#io/objects/index.ts";
import { createL1PricesPage, type L1Prices } from "#services/sequencer/index.ts";
import { followStore } from "../setup/follow.ts";
import type { GateSetup } from "../setup/replication.ts";
import type { NodeSetup } from "../setup/setup.ts";

/**
 * Returns the setup of the threads while a sequencer is a standby: they follow the blocks in the object
 * store.
 */
export function standbySetup(setup: NodeSetup, store: ObjectStoreOptions): NodeSetup {
  return { ...setup, follow: followStore(store), gate: null };
}

/**
 * Setup of the threads of a leading sequencer.
 *
 * @param l1Prices - current prices: those of the start may be days old
 */
export function leaderSetup(setup: NodeSetup, gate: GateSetup, l1Prices: L1Prices): NodeSetup {
  return { ...setup, follow: null, gate, l1Prices, l1PricesPage: createL1PricesPage() };
}
