import { describe, expect } from "bun:test";
import { rmSync } from "node:fs";
import { freePort, rawCall, resultOf, startChain } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { compareNodes } from "#test/helpers/followed/compare.ts";
import { CHAIN_QUESTIONS, questionsAt } from "#test/helpers/followed/questions.ts";
import { blockHash, makeBlocks } from "#test/helpers/gateway-chain.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { StoryTeller } from "#test/helpers/story.ts";
import { StoryChain } from "#test/helpers/story-chain.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const SEED = 20_261_124;
/** Minimum height in the first version; blocks of the second version migrate classes. */
const BLOCKS = 9;
/** Block of the snapshot. */
const FIRST = BLOCKS + 3;

const chain = useStoppedChain();
const node = useFollower();
const target = useFolder();
let story: StoryChain;

describe("a node that starts from a snapshot", () => {
  sharedTest(
    "matches the sequencer's responses from its first block on, also for blocks that it follows",
    async () => {
      const port = await freePort();
      const gateways = [`http://127.0.0.1:${port}`];
      story = await StoryChain.start(chain, "0.13.4", ["--gateway-port", String(port)]);
      const teller = new StoryTeller(story, SEED);
      await teller.declareLegacy();
      await teller.declare();
      await teller.declareSmall();
      await teller.deployLast();
      while ((await story.latest()) < BLOCKS) await teller.block();
      await story.restart("0.14.4");
      while ((await story.latest()) < FIRST + 3) await teller.block();
      const made = target.file("snapshot");
      const from = chain.folder.path;
      const exported = await runCommand([
        "snapshot",
        "export",
        made,
        "--at",
        String(FIRST),
        "--base-path",
        from,
      ]);
      expect(exported).toMatchObject({ exitCode: 0 });
      const hash = await blockHash(chain, FIRST);
      rmSync(node.folder.path, { recursive: true });
      const imported = await runCommand([
        "snapshot",
        "import",
        made,
        "--block-hash",
        hash,
        "--base-path",
        node.folder.path,
      ]);
      expect(imported).toMatchObject({ exitCode: 0 });
      await node.start({ gateways, args: ["--keep-proofs", "archive"] });
      for (let i = 0; i < BLOCKS; i++) await teller.block();
      await waitForBlock(node, await story.latest());

      expect(await compareNodes(chain, node, CHAIN_QUESTIONS)).toEqual([]);
      const sender = chain.accounts[0]?.address ?? "";
      const newest = await story.latest();
      for (const number of bySize({
        quick: [FIRST, FIRST + 1, newest],
        full: [FIRST, FIRST + 1, FIRST + 2, FIRST + 11, newest],
      })) {
        const questions = await questionsAt(chain, number, sender);
        const unlike = await compareNodes(chain, node, questions);
        // The state before the first block is missing, so it has no traces.
        const wrong = unlike.filter(
          ({ question }) => number > FIRST || !question.method.startsWith("starknet_trace"),
        );
        expect([number, wrong]).toEqual([number, []]);
      }
    },
    120_000,
  );

  sharedTest(
    "reports earlier blocks as missing because of the snapshot",
    async () => {
      const data = `this chain was made from a snapshot: its oldest block is ${FIRST}`;
      const error = { code: 24, message: "Block not found", data };
      for (const id of [
        { block_number: FIRST - 1 },
        { block_hash: await blockHash(chain, FIRST - 1) },
      ]) {
        expect((await rawCall(node.url, "starknet_getBlockWithTxs", [id])).error).toEqual(error);
      }
      const events = await rawCall(node.url, "starknet_getEvents", [{ chunk_size: 10 }]);
      expect(events.error).toMatchObject({ code: 24, data: expect.stringContaining(data) });
    },
    60_000,
  );

  sharedTest(
    "produces blocks with the hashes of blocks before the snapshot",
    async () => {
      const basePath = target.file("sequencer");
      const [made, hash] = [target.file("snapshot"), await blockHash(chain, FIRST)];
      await runCommand(["snapshot", "import", made, "--block-hash", hash, "--base-path", basePath]);
      const key = chain.folder.file("block-signing.key");
      const sequencer = await startChain({ basePath, args: ["--private-key-file", key] });
      await makeBlocks(sequencer, 11);
      for (const number of [FIRST + 1, FIRST + 9, FIRST + 10, FIRST + 11]) {
        const of = number - 10;
        const stored = await resultOf(sequencer, "starknet_getStorageAt", {
          contract_address: "0x1",
          key: `0x${of.toString(16)}`,
          block_id: { block_number: number },
        });
        expect(stored).toBe(await blockHash(of < FIRST ? chain : sequencer, of));
      }
      await sequencer.stop();
      const check = await runCommand(["db", "check", "--base-path", basePath]);
      expect(check).toMatchObject({ exitCode: 0 });
    },
    60_000,
  );

  sharedTest(
    "passes the check of its folder",
    async () => {
      await node.stop();
      const check = await runCommand(["db", "check", "--base-path", node.folder.path]);
      expect(check).toMatchObject({ exitCode: 0 });
    },
    60_000,
  );
});
