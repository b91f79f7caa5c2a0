import { expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { explorerApi, type ExplorerApi } from "#test/helpers/explorer-api.ts";
import { explorerBlock, invokeOf } from "#test/helpers/explorer-blocks.ts";
import { createFakeChain } from "#test/helpers/fake-chain.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";

const [ALICE, BOB] = [0xa11cen, 0xb0bn];

/** Four blocks of two transactions each; the second one of each is reverted. */
const BLOCKS = Array.from({ length: 4 }, (_, number) =>
  explorerBlock(number, [
    { transaction: invokeOf(ALICE) },
    { transaction: invokeOf(BOB), status: { kind: "reverted", reason: "no" } },
  ]),
);

const hashOf = (block: number, index: number): string =>
  hexFromFelt(BLOCKS[block]?.transactions[index]?.hash ?? 0n);

async function page(api: ExplorerApi, query: string) {
  const { status, body } = await api.get(`blocks${query}`);
  expect(status).toBe(200);
  return { items: body["items"] as JsonObject[], next: body["next"] };
}

const numbersOf = (items: readonly JsonObject[]) => items.map(({ block_number }) => block_number);
const hashesOf = (items: readonly JsonObject[]) =>
  items.map(({ transactions }) => (transactions as JsonObject[]).map(({ hash }) => hash));

test("a block has its head, its gas and its transactions, newest first", async () => {
  using api = await explorerApi(BLOCKS);
  const { items } = await page(api, "?limit=1");
  const { header } = BLOCKS[3] ?? expect.unreachable();
  const { fri, wei } = header.gasPrices.l2Gas;
  expect(items).toMatchObject([
    {
      block_number: 3,
      block_hash: hexFromFelt(header.hash),
      parent_hash: hexFromFelt(header.parentHash),
      unix_ms: header.timestamp * 1000,
      status: "ACCEPTED_ON_L2",
      starknet_version: header.protocolVersion,
      l2_gas_price: { fri: String(fri), wei: String(wei) },
      transaction_count: 2,
      l2_gas: 200,
      transactions: [
        { hash: hashOf(3, 1), index: 1, sender: hexFromFelt(BOB), status: "REVERTED" },
        { hash: hashOf(3, 0), index: 0, sender: hexFromFelt(ALICE), status: "SUCCEEDED" },
      ],
    },
  ]);
});

test("pages of blocks are together the whole chain, newest first", async () => {
  using api = await explorerApi(BLOCKS);
  expect(numbersOf((await page(api, "")).items)).toEqual([3, 2, 1, 0]);
  const first = await page(api, "?limit=3");
  expect([numbersOf(first.items), first.next]).toEqual([[3, 2, 1], "1"]);
  const second = await page(api, "?limit=3&after=1");
  expect([numbersOf(second.items), second.next]).toEqual([[0], null]);
});

test("a page that starts above the chain starts at its newest block", async () => {
  using api = await explorerApi(BLOCKS);
  expect(numbersOf((await page(api, "?limit=1&after=99")).items)).toEqual([3]);
});

test("the transactions are the newest of all blocks of the page", async () => {
  using api = await explorerApi(BLOCKS);
  const { items } = await page(api, "?limit=3&transactions=3");
  expect(hashesOf(items)).toEqual([[hashOf(3, 1), hashOf(3, 0)], [hashOf(2, 1)], []]);
  expect(items.map(({ transaction_count }) => transaction_count)).toEqual([2, 2, 2]);
  expect(hashesOf((await page(api, "?limit=1&transactions=0")).items)).toEqual([[]]);
});

test("a message from L1 names the contract that received it", async () => {
  const handler = EVERY_TRANSACTION.find(({ type }) => type === "L1_HANDLER");
  if (handler?.type !== "L1_HANDLER") throw new TypeError("the samples have every transaction");
  using api = await explorerApi([explorerBlock(0, [{ transaction: handler }])]);
  const { items } = await page(api, "");
  expect(items[0]).toMatchObject({
    transactions: [{ sender: null, contract: hexFromFelt(handler.contractAddress) }],
  });
});

test("blocks are listed before they are indexed, and an empty chain has none", async () => {
  using api = await explorerApi([], { chain: createFakeChain(BLOCKS) });
  expect((await page(api, "")).items).toHaveLength(4);
  using empty = await explorerApi([]);
  expect(await page(empty, "")).toEqual({ items: [], next: null });
});

test("a changed version is a new answer; the same one is not computed again", async () => {
  let version = "1";
  let isStopped = false;
  using api = await explorerApi(BLOCKS, { version: () => version, isStopped: () => isStopped });
  await page(api, "");
  // From now on, every computation fails.
  isStopped = true;
  expect((await api.get("blocks")).status).toBe(200);
  version = "2";
  expect((await api.get("blocks")).status).toBe(503);
});
