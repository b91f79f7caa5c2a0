import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { explorerApi, type ExplorerApi } from "#test/helpers/explorer-api.ts";
import { explorerBlock, invokeOf, TRANSFER, transferEvent } from "#test/helpers/explorer-blocks.ts";
import { createFakeChain, type FakeBlock } from "#test/helpers/fake-chain.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";

const [ALICE, BOB, TOKEN, OTHER] = [0xa11cen, 0xb0bn, 0x70cen, 0x07en];
const declare = EVERY_TRANSACTION.find((each) => each.type === "DECLARE" && each.version === 3);
const handler = EVERY_TRANSACTION.find(({ type }) => type === "L1_HANDLER");
if (declare?.type !== "DECLARE" || handler?.type !== "L1_HANDLER") {
  throw new TypeError("the samples have every transaction");
}
const { classHash, senderAddress } = declare;

/** Blocks with transfers of Alice to Bob, a declaration, a message, a reverted transaction and an NFT. */
const BLOCKS: readonly FakeBlock[] = [
  explorerBlock(0, [], {
    declaredClasses: new Map([[0xc0n, 1n]]),
    deployedContracts: new Map([[TOKEN, 0xc0n]]),
  }),
  explorerBlock(
    1,
    [
      {
        transaction: invokeOf(ALICE, TOKEN),
        events: [transferEvent(TOKEN, ALICE, BOB, 7n), transferEvent(OTHER, ALICE, 0x5e9n, 1n)],
      },
      { transaction: declare },
    ],
    { declaredClasses: new Map([[classHash, 1n]]) },
  ),
  explorerBlock(2, [
    { transaction: invokeOf(BOB, TOKEN), status: { kind: "reverted", reason: "no" } },
    { transaction: handler },
  ]),
  explorerBlock(
    3,
    [
      {
        transaction: invokeOf(ALICE, TOKEN),
        events: [{ fromAddress: OTHER, keys: [TRANSFER, ALICE, BOB, 5n, 1n], data: [] }],
      },
    ],
    { replacedClasses: new Map([[TOKEN, classHash]]) },
  ),
];

const hashOf = (block: number, index: number): string =>
  hexFromFelt(BLOCKS[block]?.transactions[index]?.hash ?? 0n);
const timeOf = (block: number): number => (1_700_000_000 + block) * 1000;

async function items(api: ExplorerApi, path: string): Promise<JsonObject[]> {
  const { status, body } = await api.get(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({ next: null, indexed: { from: 0, to: 3 } });
  return body["items"] as JsonObject[];
}

describe("the list", () => {
  test("of transactions by sender has those that an account sent", async () => {
    using api = await explorerApi(BLOCKS);
    const common = {
      ...{ type: "INVOKE", sender: hexFromFelt(ALICE), contract: null },
      ...{ status: "SUCCEEDED", index: 0 },
    };
    const fee = { amount: "5", unit: "FRI" };
    expect(await items(api, "transactions?sender=0xa11ce")).toEqual([
      { ...common, hash: hashOf(3, 0), block_number: 3, unix_ms: timeOf(3), fee },
      { ...common, hash: hashOf(1, 0), block_number: 1, unix_ms: timeOf(1), fee },
    ]);
  });

  test("of transactions by contract has all that touch it, the reverted ones too", async () => {
    using api = await explorerApi(BLOCKS);
    const touching = await items(api, "transactions?contract=0x70ce");
    expect(touching.map(({ hash, status }) => [hash, status])).toEqual([
      [hashOf(3, 0), "SUCCEEDED"],
      [hashOf(2, 0), "REVERTED"],
      [hashOf(1, 0), "SUCCEEDED"],
    ]);
  });

  test("of transactions by contract has those that it sent, and messages from L1", async () => {
    using api = await explorerApi(BLOCKS);
    const sent = await items(api, "transactions?contract=0xb0b");
    expect(sent.map(({ hash }) => hash)).toEqual([hashOf(2, 0)]);
    const address = hexFromFelt(handler.contractAddress);
    const [message] = await items(api, `transactions?contract=${address}`);
    expect(message).toMatchObject({ hash: hashOf(2, 1), type: "L1_HANDLER", sender: null });
  });

  test("of transfers by holder has both kinds of tokens", async () => {
    using api = await explorerApi(BLOCKS);
    expect(await items(api, "transfers?holder=0xb0b")).toEqual([
      {
        hash: hashOf(3, 0),
        block_number: 3,
        event_index: 0,
        token: hexFromFelt(OTHER),
        from: hexFromFelt(ALICE),
        to: hexFromFelt(BOB),
        kind: "nft",
        token_id: String(5n + (1n << 128n)),
        unix_ms: timeOf(3),
      },
      {
        hash: hashOf(1, 0),
        block_number: 1,
        event_index: 0,
        token: hexFromFelt(TOKEN),
        from: hexFromFelt(ALICE),
        to: hexFromFelt(BOB),
        kind: "fungible",
        amount: "7",
        unix_ms: timeOf(1),
      },
    ]);
  });

  test("of transfers of one token omits the others", async () => {
    using api = await explorerApi(BLOCKS);
    const found = await items(api, "transfers?holder=0xa11ce&token=0x7e");
    expect(found.map(({ block_number, event_index }) => [block_number, event_index])).toEqual([
      [3, 0],
      [1, 1],
    ]);
  });

  test("of all transfers of a token has those of every holder", async () => {
    using api = await explorerApi(BLOCKS);
    const found = await items(api, "transfers?token=0x7e");
    expect(found).toEqual(await items(api, "transfers?holder=0xa11ce&token=0x7e"));
    expect(await items(api, "transfers?token=0x70ce")).toMatchObject([
      { hash: hashOf(1, 0), amount: "7" },
    ]);
    expect(await items(api, "transfers?token=0xdead")).toEqual([]);
  });

  test("of contracts by class has deployments and replacements", async () => {
    using api = await explorerApi(BLOCKS);
    const address = hexFromFelt(TOKEN);
    expect(await items(api, "contracts?class=0xc0")).toEqual([
      { address, block_number: 0, how: "deployed" },
    ]);
    expect(await items(api, `contracts?class=${hexFromFelt(classHash)}`)).toEqual([
      { address, block_number: 3, how: "replaced" },
    ]);
  });

  test("of declared classes names the transaction, if there was one", async () => {
    using api = await explorerApi(BLOCKS);
    expect(await items(api, "declared")).toEqual([
      {
        class_hash: hexFromFelt(classHash),
        block_number: 1,
        sender: hexFromFelt(senderAddress),
        hash: hashOf(1, 1),
      },
      { class_hash: "0xc0", block_number: 0, sender: null, hash: null },
    ]);
  });

  test("of an address that no block uses is empty", async () => {
    using api = await explorerApi(BLOCKS);
    expect(await items(api, "transfers?holder=0xdead")).toEqual([]);
  });
});

describe("pages of one item", () => {
  const LONG = Array.from({ length: 7 }, (_, number) =>
    explorerBlock(
      number,
      [ALICE, BOB].map((sender) => ({
        transaction: invokeOf(sender, TOKEN),
        events: [transferEvent(TOKEN, sender, 0x1n, 1n), transferEvent(OTHER, sender, 0x1n, 1n)],
      })),
      {
        declaredClasses: new Map([[BigInt(number + 100), 1n]]),
        deployedContracts: new Map([
          [BigInt(2 * number + 200), 0xcn],
          [BigInt(2 * number + 201), 0xcn],
        ]),
      },
    ),
  );

  const SEVERAL = Array.from({ length: 7 }, (_, number) => {
    const transfer = transferEvent(TOKEN, ALICE, 0x1n, 1n);
    const approval = { fromAddress: TOKEN, keys: [1n], data: [] };
    return number % 2 === 0
      ? explorerBlock(number, [
          { transaction: invokeOf(TOKEN), events: [transfer, approval, transfer] },
        ])
      : explorerBlock(number, [{ transaction: invokeOf(ALICE, TOKEN), events: [approval] }]);
  });

  test.each([
    ["transactions?sender=0xa11ce", 7],
    ["transactions?contract=0x70ce", 14],
    ["transfers?holder=0x1", 28],
    ["transfers?holder=0x1&token=0x7e", 14],
    ["transfers?token=0x70ce", 14],
    ["contracts?class=0xc", 14],
    ["declared?", 7],
  ] as const)("of %s are together the whole list, in its order", async (path, count) => {
    using api = await explorerApi(LONG);
    await expectWhole(api, path, count);
  });

  test("divide several transfers of a token in one transaction, and skip transactions without any", async () => {
    using api = await explorerApi(SEVERAL);
    await expectWhole(api, "transfers?token=0x70ce", 8);
  });

  async function expectWhole(api: ExplorerApi, path: string, count: number): Promise<void> {
    const whole = (await api.get(`${path}&limit=100`)).body["items"] as JsonObject[];
    expect(whole).toHaveLength(count);
    const found: JsonObject[] = [];
    for (let after: string | null = ""; after !== null;) {
      const cursor = after === "" ? "" : `&after=${after}`;
      const { body } = await api.get(`${path}&limit=1${cursor}`);
      found.push(...(body["items"] as JsonObject[]));
      after = body["next"] as string | null;
      expect(found.length).toBeLessThanOrEqual(count);
    }
    expect(found).toEqual(whole);
  }
});

describe("while the index differs from the chain", () => {
  test("blocks above the visible chain are hidden", async () => {
    using api = await explorerApi(BLOCKS, { chain: createFakeChain(BLOCKS.slice(0, 2)) });
    const { body } = await api.get("transactions?sender=0xa11ce");
    expect(body).toMatchObject({ indexed: { from: 0, to: 1 }, next: null });
    expect(body["items"]).toHaveLength(1);
  });

  test("nothing is shown of a chain that was reverted", async () => {
    const other = [...BLOCKS.slice(0, 3), explorerBlock(3, [], {}, { own: 1, parent: 0 })];
    using api = await explorerApi(BLOCKS, { chain: createFakeChain(other) });
    const { status, body } = await api.get("transactions?sender=0xa11ce");
    expect([status, body]).toEqual([
      200,
      { items: [], next: null, indexed: { from: 0, to: null } },
    ]);
  });

  test("blocks that are not indexed yet are missing", async () => {
    const longer = [...BLOCKS, explorerBlock(4, [{ transaction: invokeOf(ALICE) }])];
    using api = await explorerApi(BLOCKS, { chain: createFakeChain(longer) });
    expect(await items(api, "transactions?sender=0xa11ce")).toHaveLength(2);
  });
});

test("an index that names what the chain does not have is reported as damaged", async () => {
  const chain = createFakeChain(BLOCKS);
  using api = await explorerApi(BLOCKS, { chain: { ...chain, receiptAt: () => undefined } });
  const { status, body } = await api.get("transfers?holder=0xb0b");
  expect([status, api.damages()]).toEqual([503, 1]);
  expect(body).toEqual({
    error: { message: "the explorer's index was damaged and is built again: try again later" },
  });
});

test.each([
  ["before it begins", 0],
  ["between two steps", 1],
])("a request that takes too long is stopped %s", async (_, checks) => {
  let left = checks;
  using api = await explorerApi(BLOCKS, { isStopped: () => left-- <= 0 });
  const { status, headers } = await api.get("transfers?holder=0xb0b");
  expect([status, headers["retry-after"]]).toEqual([503, "1"]);
});
