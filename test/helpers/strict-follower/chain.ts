import { freePort } from "../binary.ts";
import { SHARED } from "../shared.ts";
import { StoryTeller } from "../story.ts";
import { StoryChain } from "../story-chain.ts";
import { bySize } from "../test-size.ts";
import type { UsedChain } from "../use-chain.ts";

/** The versions whose chains are followed: each has another form of blocks, or of what is in them. */
export const FOLLOWED_VERSIONS = ["0.13.0", "0.13.2", "0.13.4", "0.14.2", "0.14.4"] as const;

const SEED = 20_261_124;
/** Blocks after the declarations. */
const BLOCKS = bySize({ quick: 6, full: 12 });

/** A chain with a life, and the address of its gateway. */
export interface LivedChain {
  readonly story: StoryChain;
  readonly gateway: string;
}

/**
 * Starts a chain of a version with blocks in which anything may happen: transfers, reverts, mints; where the
 * fixtures are there, also declarations of both kinds of classes, deployments, and messages from L1 and to it.
 */
export async function startLived(chain: UsedChain, version: string): Promise<LivedChain> {
  const port = await freePort();
  const story = await StoryChain.start(chain, version, ["--gateway-port", String(port)]);
  const teller = new StoryTeller(story, SEED);
  if (SHARED !== undefined) {
    if (version < "0.14") await teller.declareLegacy();
    // Compiled by a compiler that older versions do not take.
    if (version >= "0.13.4") await teller.declare();
    await teller.deployLast();
  }
  for (let block = 0; block < BLOCKS; block++) await teller.block();
  return { story, gateway: `http://127.0.0.1:${port}` };
}
