import type { DevSeed } from "#services/sequencer/index.ts";

/** A seed of this project's development accounts. */
export function ownSeed(number: bigint): DevSeed {
  return { accounts: "appchain", number };
}
