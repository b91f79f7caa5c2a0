import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { hash } from "starknet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import {
  FORK_SEED,
  newestBlock,
  RECIPIENT,
  transactionsOf,
} from "#test/helpers/fork/fork-chain.ts";
import { holdValues } from "#test/helpers/fork/hold-values.ts";
import { ORIGIN_FAULTS } from "#test/helpers/fork/origin-faults.ts";
import {
  type OriginCall,
  type OriginProxy,
  startOriginProxy,
} from "#test/helpers/fork/origin-proxy.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { NO_ESTIMATE, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";

const KILLS = bySize({ quick: 1, full: 10 });
/** Restarts during a move. */
const RESTARTS = 4;
/** Moves to a block, and the time until the node is stopped. */
const STOPS = bySize({
  quick: [[2, 500]],
  full: [0, 100, 200, 400, 600, 800, 1_000, 1_500].map((ms, i) => [i % 4, ms] as const),
} as const);
/** Blocks of the origin above its first one, each with one transfer. */
const BLOCKS = 5;
const TRANSFER = 10n;
const TIMEOUT_MS = 120_000;

const origin = useChain();
let proxy: OriginProxy;
/** Transactions of the origin, in the order of their blocks. */
const sent: string[] = [];

/** No value is late on a loaded machine. */
const source = (): readonly string[] => [
  ...["--fork-url", proxy.url, "--fork-timeout", "60s", "--rpc-timeout", "60s", ...FORK_SEED],
];

beforeAll(async () => {
  proxy = await startOriginProxy(origin.url);
  for (let i = 0; i < BLOCKS; i++) {
    const call = transferCall(RECIPIENT, TRANSFER);
    sent.push((await origin.account(0).execute(call, NO_ESTIMATE)).transaction_hash);
  }
}, TIMEOUT_MS);
afterEach(() => proxy.honest());
afterAll(() => proxy[Symbol.asyncDispose]());

const blockOf = (chain: RunningChain, id: unknown) =>
  resultOf<Record<"block_hash" | "parent_hash", string>>(chain, "starknet_getBlockWithTxHashes", [
    id,
  ]);

const moved = (chain: RunningChain, fork_block: unknown) =>
  resultOf(chain, "devnet_restart", { fork_block });

/** Checks that a chain has one block after a block of the origin, and the state of that block. */
async function expectForkAt(chain: RunningChain, number: number): Promise<void> {
  const parent = await blockOf(origin, { block_number: number });
  expect((await newestBlock(chain)).block_number).toBe(number + 1);
  expect((await blockOf(chain, "latest")).parent_hash).toBe(parent.block_hash);
  expect(await strkBalance(chain.provider, RECIPIENT)).toBe(TRANSFER * BigInt(number));
  const config = await resultOf(chain, "devnet_getConfig");
  expect(config).toMatchObject({ fork_config: { block_number: number } });
}

const isOfMove = (name: string): boolean => name.startsWith("fork-move");

describe("an ephemeral fork", () => {
  const fork = useStoppedChain(() => ({
    args: [...source(), "--fork-block", "1"],
    isEphemeral: true,
  }));
  beforeAll(() => fork.start(), TIMEOUT_MS);

  const temporary = (): readonly string[] =>
    readdirSync(fork.folder.path).filter((name) => name.startsWith("appchain-ephemeral-"));

  test(
    "moves to other blocks, one after the other, in its temporary folder",
    async () => {
      for (const number of [3, 2]) {
        await moved(fork, number);
        await expectForkAt(fork, number);
        await fork.account(0).execute(transferCall("0x5", 1n), NO_ESTIMATE);
        expect((await newestBlock(fork)).block_number).toBe(number + 2);
        expect(temporary()).toHaveLength(1);
        const files = readdirSync(fork.folder.file(temporary()[0] ?? ""));
        expect(files.filter(isOfMove)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  test(
    "stays as it is when the origin has pruned the block, and names what the origin lacks",
    async () => {
      const before = await newestBlock(fork);
      const { block_hash } = await blockOf(origin, { block_number: 4 });
      const isBlock = ({ params }: OriginCall, number: number): boolean =>
        JSON.stringify(params).includes(`"block_number":${number}`);
      const { lie: refuse } = ORIGIN_FAULTS.refuse(24, "Block not found");
      const pruned = [
        [["getBlockWithTxHashes", "getBlockWithReceipts"], 4, "the fork block 4"],
        [["getBlockWithTxHashes"], 1, "block 1"],
        [["getClassHashAt"], undefined, `block 4 (${block_hash}) or its state`],
      ] as const;
      for (const [methods, number, named] of pruned) {
        proxy.add({
          methods,
          lie: (occasion) =>
            number === undefined || occasion.calls.some((call) => isBlock(call, number))
              ? refuse(occasion)
              : occasion.honest(),
        });
        const { error } = await rawCall(fork.url, "devnet_restart", { fork_block: 4 });
        proxy.honest();
        expect(error?.code).toBe(-32603);
        expect(String(error?.data)).toContain(named);
        expect(String(error?.data)).toContain(proxy.name);
        expect(await newestBlock(fork)).toEqual(before);
        expect(await strkBalance(fork.provider, "0x5")).toBe(1n);
      }
    },
    TIMEOUT_MS,
  );

  const balanceOf = (account: string) => ({
    contract_address: STRK,
    entry_point_selector: hash.getSelectorFromName("balance_of"),
    calldata: [account],
  });

  /** Requests that each need a value of the origin, which the fork has not read. */
  const lacking = (account: string) =>
    [
      ["starknet_getNonce", ["latest", account]],
      ["starknet_getStorageAt", [STRK, account, { block_number: 1 }]],
      ["starknet_call", [balanceOf(account), "latest"]],
      ["starknet_call", [balanceOf(account), { block_number: 1 }]],
    ] as const;

  test(
    "answers requests that wait for the origin while devnet_restart stops its threads",
    async () => {
      const values = holdValues(proxy);
      const asked = lacking(origin.accounts[1]?.address ?? "");
      const answers = Promise.all(
        asked.map(([method, params]) => rawCall(fork.url, method, params)),
      );
      expect(await values.allHeld(asked.length)).toBe(true);
      await resultOf(fork, "devnet_restart");
      values.release();
      // The account has neither sent nor received anything.
      const right = asked.map(([method, params]) => rawCall(origin.url, method, params));
      expect(await answers).toEqual(await Promise.all(right));
    },
    TIMEOUT_MS,
  );

  test(
    "fails requests that wait for the origin when it moves",
    async () => {
      const values = holdValues(proxy);
      const requests = [
        ...lacking(origin.accounts[2]?.address ?? ""),
        ["devnet_mint", { address: "0x6789", amount: 1 }],
      ] as const;
      const answers = requests.map(([method, params]) => rawCall(fork.url, method, params));
      expect(await values.allHeld(requests.length)).toBe(true);
      values.keepThese();
      await moved(fork, 3);
      for (const { error } of await Promise.all(answers)) {
        expect(error?.code).toBe(-32603);
        expect(String(error?.data)).toContain("the fork was moved to another block meanwhile");
      }
      values.release();
      await expectForkAt(fork, 3);
    },
    TIMEOUT_MS,
  );

  test(
    "moves while others restart it",
    async () => {
      const moving = moved(fork, 2);
      const restarts: ReturnType<typeof rawCall>[] = [];
      for (let i = 0; i < RESTARTS; i++) {
        await Bun.sleep(100);
        restarts.push(rawCall(fork.url, "devnet_restart"));
      }
      await moving;
      for (const { error } of await Promise.all(restarts)) {
        if (error !== undefined)
          expect(error.message).toContain("moved to another block meanwhile");
      }
      await expectForkAt(fork, 2);
    },
    TIMEOUT_MS,
  );

  test(
    "leaves nothing when it stops after a move",
    async () => {
      expect(await fork.stop()).toBe(0);
      expect(temporary()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe("a fork that was started before a transaction", () => {
  const fork = useStoppedChain(() => ({ args: before() }));
  /** The transaction of block 3. */
  const before = (): readonly string[] => [...source(), "--fork-transaction", sent[2] ?? ""];

  test(
    "moves, without the block of the transaction",
    async () => {
      await fork.start();
      await expectForkAt(fork, 2);
      for (const number of [4, 1]) {
        await moved(fork, number);
        await expectForkAt(fork, number);
        expect(await transactionsOf(fork, number + 1)).toEqual([]);
        expect(await transactionsOf(fork, number)).toEqual([BigInt(sent[number - 1] ?? "")]);
      }
      await fork.stop();
      const { code, output } = await refusedStart(fork.folder.path, { args: before() });
      expect(code).not.toBe(0);
      expect(output).toContain("--fork-transaction: the chain starts after a whole block");
      await fork.start({ args: source() });
      await expectForkAt(fork, 1);
    },
    TIMEOUT_MS,
  );

  test(
    `is at the other block when it is killed right after the response, ${KILLS} times`,
    async () => {
      for (let i = 0; i < KILLS; i++) {
        const number = i % 2 === 0 ? 3 : 1;
        await moved(fork, number);
        await fork.stop("SIGKILL");
        await fork.start({ args: source() });
        await expectForkAt(fork, number);
        expect(readdirSync(fork.folder.path).filter(isOfMove)).toEqual([]);
      }
    },
    TIMEOUT_MS + KILLS * 20_000,
  );

  test(
    "stops in order during a move, and is at one of both blocks afterwards",
    async () => {
      for (const [number, waitMs] of STOPS) {
        const { block_number: former } = await newestBlock(fork);
        const moving = rawCall(fork.url, "devnet_restart", { fork_block: number }).catch(
          () => null,
        );
        await Bun.sleep(waitMs);
        expect(await fork.stop()).toBe(0);
        await moving;
        await fork.start({ args: source() });
        const { block_number: newest } = await newestBlock(fork);
        expect([former, number + 1]).toContain(newest);
        await expectForkAt(fork, newest - 1);
      }
    },
    TIMEOUT_MS,
  );
});
