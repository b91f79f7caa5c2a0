import { beforeAll, describe, expect } from "bun:test";
import { hash } from "starknet";
import { rawCall, resultOf } from "#test/helpers/binary.ts";
import {
  type Activity,
  activityOf,
  blockQuestions,
  stateQuestions,
  transactionQuestions,
} from "#test/helpers/fork/activity.ts";
import { allEvents, type EventFilter, type FoundEvent } from "#test/helpers/fork/event-pages.ts";
import { executionQuestions } from "#test/helpers/fork/execution-questions.ts";
import { localBlocks } from "#test/helpers/fork/local-blocks.ts";
import { answersTo, differences } from "#test/helpers/fork/question.ts";
import { createRandom } from "#test/helpers/random.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { StoryTeller } from "#test/helpers/story.ts";
import { type StoryBlock, StoryChain } from "#test/helpers/story-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/** The seed determines the origin's activity. */
const SEED = 20_261_129;
/** Blocks of random activity below the fork block, and of compared activity above it. */
const BLOCKS = bySize({ quick: 10, full: 1_000 });
const COMPARED = bySize({ quick: 8, full: 130 });
/** Blocks below the fork block whose whole state is compared. */
const STATES = bySize({ quick: 1, full: 20 });
/** Blocks that are read with all methods; all transactions of the last ones. */
const READ_BLOCKS = bySize({ quick: 4, full: 200 });
const TIMEOUT_MS = bySize({ quick: 120_000, full: 3_600_000 });

const origin = useStoppedChain();
let story: StoryChain;
let activity: Activity;
/** Blocks of the origin above the fork block. */
let later: readonly StoryBlock[];
let forkBlock: number;
let firstBlock: { readonly sequencer_address: string };

/** Makes the origin: three protocol versions, all kinds of transactions. */
async function makeOrigin(): Promise<void> {
  story = await StoryChain.start(origin, "0.13.6");
  // The faucet of a fork is another account: its transactions cannot be compared.
  const teller = new StoryTeller(story, SEED, ["mint"]);
  await teller.declareLegacy();
  await teller.deployLast();
  await story.restart("0.14.0");
  await teller.declare();
  await teller.declareSmall();
  await teller.deployLast();
  await story.restart("0.14.4");
  await story.open();
  await story.record("devnet_mint", { address: "0x2001", amount: 1000 });
  await story.close();
  for (let i = 0; i < BLOCKS; i++) await teller.block();
  forkBlock = await story.latest();
  activity = await activityOf(origin, forkBlock);
  firstBlock = await resultOf(origin, "starknet_getBlockWithTxHashes", [{ block_number: 1 }]);
  // The fork's first local block funds its accounts: with this one, later numbers are equal.
  await story.open();
  await story.close();
  const first = story.blocks.length;
  for (let i = 0; i < COMPARED; i++) await teller.block();
  later = story.blocks.slice(first);
}

beforeAll(async () => {
  if (SHARED !== undefined) await makeOrigin();
}, TIMEOUT_MS);

/** Quick runs have one: unit tests of `io/origin` read all three. */
const VERSIONS = bySize({ quick: ["v0_10"], full: ["v0_8", "v0_9", "v0_10"] });

/**
 * Sizes of event pages besides those around the number of events. In full, each version has a part of all sizes from
 * 1 to 1000: the versions differ in the form of a response, not in the pages.
 */
function pageSizesOf(version: string): readonly number[] {
  const all = Array.from({ length: 1000 }, (_, i) => i + 1);
  const part = VERSIONS.indexOf(version);
  return bySize({
    quick: [2, 7, 1000],
    full: all.filter((size) => size % VERSIONS.length === part || size === 1 || size === 1000),
  });
}

describe.each(VERSIONS)("a fork of a node that serves %s", (version) => {
  const fork = useStoppedChain();
  const path = `/rpc/${version}`;
  const pageSizes = pageSizesOf(version);
  const lastBlocks = () => Array.from({ length: READ_BLOCKS }, (_, i) => forkBlock - i);

  sharedTest(
    "starts one block above the fork block",
    async () => {
      const source = ["--fork-url", origin.url + path, "--fork-block", String(forkBlock)];
      const accounts = ["--dev-accounts", "1", "--dev-seed", "99"];
      const args = [...source, ...accounts, "--block-generation-on", "demand"];
      await fork.start({ args });
      expect(await resultOf<number>(fork, "starknet_blockNumber")).toBe(forkBlock + 1);
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "has the origin's state at the fork block and below",
    async () => {
      for (let back = 0; back <= STATES; back++) {
        const questions = stateQuestions(activity, forkBlock - back);
        expect(await differences([origin, fork], path, questions)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "has the origin's blocks, state updates and traces",
    async () => {
      const questions = blockQuestions(activity, [...lastBlocks(), 0, 1]);
      expect(await differences([origin, fork], path, questions)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "executes calls and simulations on the origin's state, and has its proofs",
    async () => {
      const sender = origin.accounts[0]?.address ?? "";
      for (let back = 0; back <= STATES; back++) {
        const questions = await executionQuestions(origin, sender, forkBlock - back);
        const answers = await answersTo(origin, path, questions);
        expect(answers.filter((answer) => hasError(answer))).toHaveLength(1);
        expect(await differences([origin, fork], path, questions)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "has the origin's transactions, receipts and traces by hash",
    async () => {
      const hashes = bySize({
        quick: activity.transactions.slice(-10),
        full: activity.transactions,
      });
      const questions = transactionQuestions(hashes);
      expect(await differences([origin, fork], path, questions)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "has the origin's events in pages of each size",
    async () => {
      const range = { from_block: { block_number: 0 }, to_block: { block_number: forkBlock } };
      for (const filter of [range, { ...range, address: STRK }]) {
        const expected = await allEvents(origin, path, filter, 1000);
        expect(expected.length).toBeGreaterThan(BLOCKS / 2);
        for (const size of pageSizes) {
          expect(await allEvents(fork, path, filter, size)).toEqual(expected);
        }
      }
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "knows nothing of what the origin did above the fork block",
    async () => {
      const above = await resultOf<{
        readonly block_hash: string;
        readonly transactions: readonly { readonly transaction: { readonly hash?: string } }[];
      }>(origin, "starknet_getBlockWithReceipts", [{ block_number: forkBlock + 2 }]);
      const byHash = { block_id: { block_hash: above.block_hash } };
      const { error } = await rawCall(fork.url, "starknet_getBlockWithTxs", byHash);
      expect(error?.code).toBe(24);
      const hashes = await laterHashes();
      expect(hashes.length).toBeGreaterThan(2);
      for (const { method, params } of transactionQuestions(hashes.slice(0, 3))) {
        const { error: unknown } = await rawCall(fork.url, `starknet_${method}`, params);
        expect(unknown?.code).toBe(29);
      }
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "executes transactions with the origin's receipts and state diffs",
    async () => {
      const copy = StoryChain.over(fork);
      for (const block of later) await copy.again(block);
      const numbers = later.map(({ number }) => number);
      expect(await localBlocks(fork, numbers)).toEqual(await localBlocks(origin, numbers));
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "has events across the fork block, in pages of each size",
    async () => {
      const range = { from_block: { block_number: forkBlock - 3 }, to_block: "latest" };
      for (const filter of filtersIn(range)) {
        const all = await allEvents(origin, path, filter, 1000);
        const expected = all.map(withoutBlock);
        const below = all.filter(({ block_number = 0 }) => block_number <= forkBlock).length;
        expect(below).toBeGreaterThan(0);
        expect(all.length).toBeGreaterThan(below);
        for (const size of sizesAround(pageSizes, below, all.length)) {
          const found = (await allEvents(fork, path, filter, size)).map(withoutBlock);
          expect(found).toEqual(expected);
        }
      }
    },
    TIMEOUT_MS,
  );

  sharedTest(
    "has each event once when a block arrives between two pages",
    async () => {
      const range = { from_block: { block_number: forkBlock - 3 }, to_block: "latest" };
      const expected = await allEvents(fork, path, range, 1000);
      const mint = async () => {
        await resultOf(fork, "devnet_mint", { address: "0x2002", amount: 1 });
        await resultOf(fork, "devnet_createBlock", {});
      };
      const found = await allEvents(fork, path, range, 1, mint);
      const newest = await resultOf<number>(fork, "starknet_blockNumber");
      expect(found.filter(({ block_number }) => block_number !== newest)).toEqual(expected);
      expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(found.length);
    },
    TIMEOUT_MS,
  );
});

/** Filters of a range by addresses and keys. */
function filtersIn(range: EventFilter): readonly EventFilter[] {
  const transfer = hash.getSelectorFromName("Transfer");
  const { sequencer_address } = firstBlock;
  return [
    range,
    { ...range, address: STRK },
    { ...range, keys: [[transfer], [], [sequencer_address]] },
    { ...range, address: STRK, keys: [[transfer, "0x1"]] },
  ];
}

/** Page sizes that end before, at and after the fork block and the last event, and others. */
function sizesAround(
  pageSizes: readonly number[],
  ...counts: readonly number[]
): readonly number[] {
  const around = counts.flatMap((count) => [count - 1, count, count + 1]);
  const random = createRandom(SEED);
  const others = [1, 2].map(() => 1 + random.below(Math.max(...counts)));
  const sizes = [...pageSizes, ...around, ...others];
  return [...new Set(sizes)].filter((size) => size > 0 && size <= 1000);
}

/** Whether a response of {@link answersTo} is an error: that of the call without an account. */
function hasError(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "error" in answer;
}

/** An event without the hash of its block, which differs above the fork block. */
function withoutBlock({ from_address, keys, data, transaction_hash, block_number }: FoundEvent) {
  return { from_address, keys, data, transaction_hash, block_number };
}

/** Hashes of the origin's transactions above the fork block. */
async function laterHashes(): Promise<string[]> {
  const hashes: string[] = [];
  for (const { number } of later) {
    const { transactions } = await resultOf<{ readonly transactions: readonly string[] }>(
      origin,
      "starknet_getBlockWithTxHashes",
      [{ block_number: number }],
    );
    hashes.push(...transactions);
  }
  return hashes;
}
