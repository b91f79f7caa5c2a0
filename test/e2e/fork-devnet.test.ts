import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Account } from "starknet";
import { rawCall, resultOf } from "#test/helpers/binary.ts";
import { classHashOf, declare, SMALL_CLASS } from "#test/helpers/declares.ts";
import { type Activity, activityOf } from "#test/helpers/fork/activity.ts";
import { ComparedChains } from "#test/helpers/fork/compared-chains.ts";
import { compareDevelopment } from "#test/helpers/fork/compared-development.ts";
import { compareEvents, compareReads } from "#test/helpers/fork/compared-reads.ts";
import { ComparedAccount } from "#test/helpers/fork/compared-transactions.ts";
import { DEVNET_DIFFERENCES } from "#test/helpers/fork/devnet-differences.ts";
import {
  DEVNET_PRICES,
  hasDevnet,
  NEEDS_DEVNET,
  type RunningDevnet,
  startDevnet,
} from "#test/helpers/fork/starknet-devnet.ts";
import { SHARED } from "#test/helpers/shared.ts";
import { StoryTeller } from "#test/helpers/story.ts";
import { StoryChain } from "#test/helpers/story-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChains, useStoppedChain } from "#test/helpers/use-chain.ts";

/** The seed determines the origin's activity. */
const SEED = 20_261_129;
const BLOCKS = bySize({ quick: 6, full: 60 });
const LATER_BLOCKS = 2;
const TIMEOUT_MS = 180_000;
const TABLE = readFileSync(resolve(import.meta.dir, "../../docs/fork.md"), "utf8");

/** starknet-devnet keeps only the newest state by default. */
const ARCHIVE = ["--state-archive-capacity", "full"];
const DEVNET_ARGS = [...DEVNET_PRICES, ...ARCHIVE, "--seed", "7", "--accounts", "2"];

const isAvailable = hasDevnet && SHARED !== undefined;
const origin = useStoppedChain();
let forkBlock: number;
let activity: Activity;

interface BlockList {
  readonly block_hash: string;
  readonly transactions: readonly string[];
}

const blockOf = (number: number): Promise<BlockList> =>
  resultOf(origin, "starknet_getBlockWithTxHashes", [{ block_number: number }]);

beforeAll(async () => {
  if (!isAvailable) return;
  const story = await StoryChain.start(origin, "0.14.4", ["--seed", "3"]);
  const teller = new StoryTeller(story, SEED);
  await teller.declare();
  await teller.deployLast();
  for (let i = 0; i < BLOCKS; i++) await teller.block();
  forkBlock = await story.latest();
  activity = await activityOf(origin, forkBlock);
  for (let i = 0; i < LATER_BLOCKS; i++) await teller.block();
}, TIMEOUT_MS);

/** Arguments of starknet-devnet for a fork with the prices of a block. */
async function pricesOf(number: number): Promise<string[]> {
  const block = await resultOf<Record<string, Readonly<Record<string, string>>>>(
    origin,
    "starknet_getBlockWithTxHashes",
    [{ block_number: number }],
  );
  const kinds = { gas: "l1_gas_price", "data-gas": "l1_data_gas_price", "l2-gas": "l2_gas_price" };
  return Object.entries(kinds).flatMap(([flag, member]) => {
    const { price_in_wei = "", price_in_fri = "" } = block[member] ?? {};
    return [
      ...[`--${flag}-price`, String(BigInt(price_in_wei))],
      ...[`--${flag}-price-fri`, String(BigInt(price_in_fri))],
    ];
  });
}

const forkArgs = () => [
  "--fork-network",
  `${origin.url}/rpc/v0_10`,
  "--fork-block",
  `${forkBlock}`,
];

test("the table of differences in the documentation is complete", () => {
  for (const { what, why } of DEVNET_DIFFERENCES) expect(TABLE).toContain(`| ${what} | ${why} |`);
});

// Outside of the group: its hook would count as a skipped test.
const ours = useStoppedChain();

describe.skipIf(!isAvailable)("a fork next to one of starknet-devnet", () => {
  test(
    `${NEEDS_DEVNET}responds as that does, except as documented`,
    async () => {
      const accounts = ["--seed", "77"];
      const prices = await pricesOf(forkBlock);
      await using devnet = await startDevnet([
        ...[...forkArgs(), ...accounts],
        ...["--accounts", "2", ...ARCHIVE, ...prices],
      ]);
      // Compiling a class of the origin takes long under the load of other tests.
      const patient = ["--fork-timeout", "60s", "--dev-accounts", "2"];
      await ours.start({ args: [...forkArgs(), ...accounts, ...patient] });
      const chains = new ComparedChains([ours.url, devnet.url]);
      const numbers = Array.from({ length: LATER_BLOCKS }, (_, i) => forkBlock + 1 + i);
      const blocks = await Promise.all(numbers.map(blockOf));
      const later = {
        blockHash: blocks[0]?.block_hash ?? "",
        transactions: blocks.flatMap(({ transactions }) => transactions),
      };
      await compareReads(chains, { forkBlock, activity, later });
      const [sender, other] = origin.accounts.slice(6);
      if (sender === undefined || other === undefined) throw new RangeError("no accounts");
      const account = new ComparedAccount(chains, sender);
      await account.sendAll(classHashOf(SMALL_CLASS));
      for (const amount of [7n, 10n ** 30n]) await account.simulate(transferCall("0x1a57", amount));
      await account.simulate({ contractAddress: STRK, entrypoint: "nothing", calldata: [] });
      await account.sendWrongNonces();
      await compareAllEvents(chains);
      await compareDevelopment(chains, {
        ...{ forkBlock, account, sender: sender.address, other: other.address },
        contract: [...activity.contracts.keys()].at(-1) ?? "",
      });
      const known = (place: string) =>
        DEVNET_DIFFERENCES.some(({ places }) => places.some((each) => each.test(place)));
      expect(chains.differences.filter(({ place }) => !known(place))).toEqual([]);
      const found = chains.differences.map(({ place }) => place);
      const absent = DEVNET_DIFFERENCES.flatMap(({ places }) =>
        places.filter((each) => !found.some((place) => each.test(place))),
      );
      expect(absent).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Compares event searches below, across and above the fork block. */
async function compareAllEvents(chains: ComparedChains): Promise<void> {
  const [from_block, to_block] = [0, forkBlock].map((block_number) => ({ block_number }));
  chains.topic = "events";
  await compareEvents(chains, { from_block, to_block }, 1);
  await compareEvents(chains, { to_block, address: STRK }, 3);
  await compareEvents(chains, { from_block: { block_number: forkBlock + 100 } }, 2);
  chains.topic = "events across";
  for (const size of [1, 3, 1000]) await compareEvents(chains, { from_block }, size);
}

/** What a fork shows otherwise than starknet-devnet, its origin. */
const KNOWN_OF_ORIGIN = [
  // The specification requires it.
  /\.migrated_compiled_classes$/,
  // Its order means nothing.
  /state_diff\.deprecated_declared_classes\[\]$/,
  // A fork by starknet-devnet has the tag l1_accepted at its fork block, whose status says otherwise.
  /\.(status|finality_status)$/,
  // Its roots are 0 from its first block on, but that of the block before is not.
  /getStateUpdate \.old_root$/,
];

const start = useChains();

/** Uses a fork whose origin is starknet-devnet. */
async function useForkOf(devnet: RunningDevnet): Promise<void> {
  const [entry] = devnet.accounts;
  if (entry === undefined) throw new RangeError("no accounts");
  const { address, private_key: signer } = entry;
  const theirs = new Account({ provider: { nodeUrl: devnet.url }, address, signer });
  await theirs.execute(transferCall("0x1a57", 50n), { ...NO_ESTIMATE, nonce: 0 });
  const before = await resultOf<number>(devnet, "starknet_blockNumber");
  const fork = await start({
    args: ["--fork-url", devnet.url, "--seed", "9", "--fork-timeout", "60s"],
  });

  const chains = new ComparedChains([fork.url, devnet.url]);
  for (let block_number = 0; block_number <= before; block_number++) {
    const params = { block_id: { block_number } };
    for (const method of ["getBlockWithReceipts", "getStateUpdate", "traceBlockTransactions"]) {
      await chains.ask(`starknet_${method}`, params);
    }
    await chains.ask("starknet_getClassHashAt", { ...params, contract_address: STRK });
  }
  await compareEvents(
    chains,
    { from_block: { block_number: 0 }, to_block: { block_number: before } },
    2,
  );
  const isKnown = (place: string) => KNOWN_OF_ORIGIN.some((each) => each.test(place));
  expect(chains.differences.filter(({ place }) => !isKnown(place))).toEqual([]);

  const account = new Account({ provider: fork.provider, address, signer });
  const balance = await strkBalance(fork.provider, "0x1a57");
  await account.execute(transferCall("0x1a57", 5n), { ...NO_ESTIMATE, nonce: 1 });
  expect(await strkBalance(fork.provider, "0x1a57")).toBe(balance + 5n);
  const own = fork.account(0);
  const { class_hash: classHash } = await declare(own, SMALL_CLASS);
  const contract = { classHash, salt: "0x5", unique: false, constructorCalldata: [] };
  const { contract_address: deployed } = await own.deploy(contract, { ...NO_ESTIMATE, nonce: 1 });
  expect(await fork.provider.getClassHashAt(deployed[0] ?? "", "latest")).toBe(classHash);
  const traces = await resultOf<unknown[]>(fork, "starknet_traceBlockTransactions", ["latest"]);
  expect(traces).toHaveLength(1);
  const range = { from_block: { block_number: 0 }, to_block: "latest", chunk_size: 1000 };
  const found = await resultOf<{ readonly events: readonly object[] }>(fork, "starknet_getEvents", [
    range,
  ]);
  expect(found.events.length).toBeGreaterThan(3);
  const { error } = await rawCall(fork.url, "starknet_getStorageProof", {
    block_id: { block_number: before },
  });
  expect(error?.code).toBe(42);
}

describe.skipIf(!isAvailable)("a fork of starknet-devnet", () => {
  test(
    `${NEEDS_DEVNET}has its chain, and continues it`,
    async () => {
      await using devnet = await startDevnet(DEVNET_ARGS);
      await useForkOf(devnet);
    },
    TIMEOUT_MS,
  );

  test.each(bySize({ quick: ["false"], full: ["true", "false"] }))(
    `${NEEDS_DEVNET}has the chain of its fork, with --fork-upstream-caching %s`,
    async (caching) => {
      const args = [
        ...DEVNET_PRICES,
        "--seed",
        "7",
        "--accounts",
        "2",
        "--fork-upstream-caching",
        caching,
      ];
      await using devnet = await startDevnet([...forkArgs(), ...args]);
      await useForkOf(devnet);
    },
    TIMEOUT_MS,
  );
});
