import { freePort } from "../binary.ts";
import { SHARED } from "../shared.ts";
import { StoryTeller } from "../story.ts";
import { StoryChain } from "../story-chain.ts";
import { bySize } from "../test-size.ts";
import type { UsedChain } from "../use-chain.ts";

/**
 * Protocol versions of the followed chains: each has a different format of blocks or their
 * contents.
 */
export const FOLLOWED_VERSIONS = ["0.13.0", "0.13.2", "0.13.4", "0.14.2", "0.14.4"] as const;

const SEED = 20_261_124;
/** Number of blocks after the declarations. */
const BLOCKS = bySize({ quick: 6, full: 12 });

/** A chain with activity, and the URL of its gateway. */
export interface LivedChain {
  readonly story: StoryChain;
  readonly gateway: string;
}

/**
 * Starts a chain of a version with blocks of random actions: transfers, reverts, mints; with the
 * fixtures also declarations of both kinds of classes, deployments, and messages from and to L1.
 */
export async function startLived(chain: UsedChain, version: string): Promise<LivedChain> {
  const port = await freePort();
  const story = await StoryChain.start(chain, version, ["--gateway-port", String(port)]);
  const teller = new StoryTeller(story, SEED);
  if (SHARED !== undefined) {
    if (version < "0.14") await teller.declareLegacy();
    // Compiled by a compiler that older versions do not accept.
    if (version >= "0.13.4") await teller.declare();
    await teller.deployLast();
  }
  for (let block = 0; block < BLOCKS; block++) await teller.block();
  return { story, gateway: `http://127.0.0.1:${port}` };
}
