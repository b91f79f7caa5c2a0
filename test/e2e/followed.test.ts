import { describe, expect } from "bun:test";
import { freePort } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { compareNodes } from "#test/helpers/followed/compare.ts";
import { CHAIN_QUESTIONS, questionsAt } from "#test/helpers/followed/questions.ts";
import { createRandom } from "#test/helpers/random.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { StoryTeller } from "#test/helpers/story.ts";
import { StoryChain } from "#test/helpers/story-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/**
 * Blocks over four protocol versions: the first of each version have random contents by a seed, the
 * others are empty or mint. One full node follows them as they are made, one from genesis.
 */
const SEED = 20_261_123;
const VERSIONS = ["0.13.2", "0.13.4", "0.14.0", "0.14.4"] as const;
const LIVELY_BLOCKS = bySize({ quick: 6, full: 40 });
const BLOCKS_PER_VERSION = bySize({ quick: 40, full: 500 });
const BLOCKS = VERSIONS.length * BLOCKS_PER_VERSION;
const COMPARED_EVERY = bySize({ quick: 40, full: 50 });
const NODE_KILLS = bySize({ quick: 3, full: 20 });
const SEQUENCER_KILLS = bySize({ quick: 1, full: 5 });

const chain = useStoppedChain();
const live = useFollower();
const late = useFollower();
let story: StoryChain;
let teller: StoryTeller;
let gateways: readonly string[];

/** Makes the blocks of one version; the first ones are lively. */
async function makeBlocks(last: number): Promise<void> {
  for (let block = 0; block < LIVELY_BLOCKS; block++) await teller.block();
  while ((await story.latest()) < last) await story.ask("devnet_createBlock", {});
}

/** Blocks whose responses are compared: one per interval, and the first and last ones. */
function compared(newest: number): number[] {
  const blocks: number[] = [];
  for (let number = 0; number <= newest; number += COMPARED_EVERY) blocks.push(number);
  return [...blocks, 1, 2, 3, newest];
}

describe(`${BLOCKS} blocks of four protocol versions`, () => {
  sharedTest(
    "are followed live, through kills of the sequencer",
    async () => {
      const port = await freePort();
      gateways = [`http://127.0.0.1:${port}`];
      story = await StoryChain.start(chain, VERSIONS[0], ["--gateway-port", String(port)]);
      teller = new StoryTeller(story, SEED);
      await live.start({ gateways, args: ["--keep-proofs", "archive"] });
      for (const [index, version] of VERSIONS.entries()) {
        if (index > 0) await story.restart(version);
        if (index === 0) await teller.declareLegacy();
        if (index === 1) {
          await teller.declare();
          await teller.declareSmall();
        }
        if (index < 2) await teller.deployLast();
        await makeBlocks((index + 1) * BLOCKS_PER_VERSION - 1);
      }
      for (let kill = 0; kill < SEQUENCER_KILLS; kill++) {
        await chain.stop("SIGKILL");
        await story.restart(VERSIONS[3]);
        await teller.block();
      }
      await waitForBlock(live, await story.latest());
    },
    400_000,
  );

  sharedTest(
    "are followed from genesis by a node that is killed repeatedly",
    async () => {
      const random = createRandom(SEED);
      const options = { gateways, args: ["--keep-proofs", "archive"] };
      await late.start(options);
      for (let kill = 0; kill < NODE_KILLS; kill++) {
        await Bun.sleep(random.below(400));
        await late.stop("SIGKILL");
        await late.start(options);
      }
      await waitForBlock(late, await story.latest(), 120_000);
    },
    400_000,
  );

  for (const [name, node] of [
    ["live", live],
    ["from genesis", late],
  ] as const) {
    sharedTest(
      `read the same on the sequencer and on the node that followed ${name}`,
      async () => {
        expect(await compareNodes(chain, node, CHAIN_QUESTIONS)).toEqual([]);
        const sender = chain.accounts[0]?.address ?? "";
        for (const number of compared(await story.latest())) {
          const questions = await questionsAt(chain, number, sender);
          const unlike = await compareNodes(chain, node, questions);
          expect([number, unlike]).toEqual([number, []]);
        }
      },
      400_000,
    );
  }
});
