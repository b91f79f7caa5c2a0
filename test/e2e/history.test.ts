import { describe, expect } from "bun:test";
import { runCommand } from "#test/helpers/run-binary.ts";
import {
  fetchProofs,
  type InitialReads,
  proofRequests,
  touchedKeys,
  trustedHeader,
  type WireDiff,
} from "#test/helpers/proofs/prover-needs.ts";
import { type StorageProof, verifyStorageProof } from "#test/helpers/proofs/storage-proof.ts";
import { createRandom } from "#test/helpers/random.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { StoryTeller } from "#test/helpers/story.ts";
import { StoryChain } from "#test/helpers/story-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/**
 * Blocks of random activity over three protocol versions in an archive: proofs, replays, reverts
 * and checks of all blocks. The seed determines the activity.
 */
const SEED = 20_261_122;
const EACH = bySize({ quick: 12, full: 100 });
const BLOCKS = [EACH, EACH, EACH] as const;
const TOTAL = BLOCKS.length * EACH;
const VERSIONS = ["0.13.6", "0.14.0", "0.14.4"] as const;

const chain = useStoppedChain();
let story: StoryChain;
let hashes: readonly string[];

describe(`${TOTAL} blocks of random activity`, () => {
  sharedTest(
    "include declarations, deployments, reverts, Cairo 0, messages, a migration of classes",
    async () => {
      story = await StoryChain.start(chain, VERSIONS[0]);
      const teller = new StoryTeller(story, SEED);
      await teller.declareLegacy();
      await teller.deployLast();
      await makeBlocks(teller, BLOCKS[0]);
      await story.restart(VERSIONS[1]);
      await teller.declare();
      await teller.declareSmall();
      await teller.deployLast();
      await makeBlocks(teller, BLOCKS[1]);
      await story.restart(VERSIONS[2]);
      await makeBlocks(teller, BLOCKS[2]);
      hashes = await story.hashes();
      expect(hashes.length).toBeGreaterThanOrEqual(TOTAL);
      expect(await happened()).toEqual(
        new Set([
          "DECLARE SUCCEEDED",
          "INVOKE SUCCEEDED",
          "INVOKE REVERTED",
          "L1_HANDLER SUCCEEDED",
          "L1_HANDLER REVERTED",
          "MIGRATION",
        ]),
      );
    },
    240_000,
  );

  sharedTest(
    "have proofs of all reads and writes, at each block and the one before",
    async () => {
      for (let number = 1; number < hashes.length; number++) await verifyBlock(number);
    },
    240_000,
  );

  sharedTest(
    "are reproduced by a replay over JSON-RPC",
    async () => {
      const last = String(hashes.length - 1);
      const range = ["--from", "0", "--to", last, "--url", story.chain.url];
      const { exitCode, output } = await runCommand(["replay", ...range, "--preset", "devnet"]);
      expect([exitCode, output]).toEqual([0, expect.stringContaining(last)]);
    },
    240_000,
  );

  sharedTest(
    "are reproduced after a revert",
    async () => {
      const random = createRandom(SEED);
      // Only blocks of the last version: a chain never returns to an older one.
      const first = BLOCKS[0] + BLOCKS[1] + bySize({ quick: 8, full: 10 });
      const target = first + random.below(hashes.length - first - 1);
      await story.restart(VERSIONS[2], async () => {
        const to = ["--to", String(target), "--base-path", chain.folder.path, "--yes"];
        const reverted = await runCommand(["db", "revert", ...to]);
        expect([reverted.exitCode, reverted.output]).toEqual([
          0,
          expect.stringContaining(String(target)),
        ]);
        const checked = await runCommand(["db", "check", "--base-path", chain.folder.path]);
        expect([checked.exitCode, checked.output]).toEqual([0, expect.any(String)]);
      });
      expect(await story.hashes()).toEqual(hashes.slice(0, target + 1));
      for (const block of story.blocks.filter(({ number }) => number > target)) {
        await story.again(block);
      }
      expect(await story.hashes()).toEqual([...hashes]);
    },
    240_000,
  );
});

async function makeBlocks(teller: StoryTeller, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await teller.block();
}

/** Types and outcomes of all transactions, each once. */
async function happened(): Promise<Set<string>> {
  const kinds = new Set<string>();
  for (const number of hashes.keys()) {
    const id = [{ block_number: number }];
    const { transactions } = await story.ask<{
      transactions: { receipt: { type: string; execution_status: string } }[];
    }>("starknet_getBlockWithReceipts", id);
    for (const { receipt } of transactions)
      kinds.add(`${receipt.type} ${receipt.execution_status}`);
    const { state_diff } = await story.ask<{
      state_diff: { migrated_compiled_classes?: readonly unknown[] };
    }>("starknet_getStateUpdate", id);
    if ((state_diff.migrated_compiled_classes ?? []).length > 0) kinds.add("MIGRATION");
  }
  return kinds;
}

/** Verifies what a prover needs of a block: its reads and writes, at the block and its parent. */
async function verifyBlock(block_number: number): Promise<void> {
  const { initial_reads } = await story.ask<{ initial_reads: InitialReads }>(
    "starknet_traceBlockTransactions",
    [{ block_number }, ["RETURN_INITIAL_READS"]],
  );
  const { state_diff } = await story.ask<{ state_diff: WireDiff }>("starknet_getStateUpdate", [
    { block_number },
  ]);
  const classes = initial_reads.declared_contracts.map(({ class_hash }) => class_hash);
  const requests = proofRequests(touchedKeys(initial_reads, state_diff), classes);
  for (const number of [block_number - 1, block_number]) {
    const proofs = await fetchProofs(story.chain, number, requests);
    const header = await trustedHeader(story.chain, number);
    for (const [i, request] of requests.entries()) {
      const { findings } = verifyStorageProof(request, proofs[i] as StorageProof, header);
      expect([number, findings]).toEqual([number, []]);
    }
  }
}
