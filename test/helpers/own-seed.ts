import type { DevSeed } from "#services/sequencer/index.ts";

/** Creates a seed of development accounts of this program, not of starknet-devnet's. */
export function ownSeed(number: bigint): DevSeed {
  return { accounts: "appchain", number };
}
