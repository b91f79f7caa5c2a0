import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { readGatewayWholeBlock } from "#io/feeder/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { explorerRows } from "#services/explorer-index/index.ts";
import { explorerBlock, invokeOf, transferEvent } from "#test/helpers/explorer-blocks.ts";
import { NETWORK_BLOCKS } from "#test/helpers/gateway-blocks.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";
import { fixtureTest } from "#test/helpers/shared.ts";

const [ALICE, BOB, TOKEN, POOL, SEQUENCER] = [0xa11cen, 0xb0bn, 0x70cen, 0x9001n, 0x5e9n];
const gatewayTest = fixtureTest("gateway-blocks");

describe("senders and touched contracts", () => {
  test("are the sender, the targets of its calls and the emitters of events, each once", () => {
    const events = [
      transferEvent(TOKEN, ALICE, BOB, 1n),
      transferEvent(TOKEN, ALICE, SEQUENCER, 1n),
      { fromAddress: ALICE, keys: [1n], data: [] },
    ];
    const transaction = invokeOf(ALICE, TOKEN, POOL, ALICE);
    const { sent, touched } = explorerRows(explorerBlock(4, [{ transaction, events }]));
    expect(sent).toEqual([{ sender: ALICE, index: 0 }]);
    expect(touched).toEqual([
      { contract: TOKEN, index: 0 },
      { contract: POOL, index: 0 },
    ]);
  });

  test("include a contract that the universal deployer names", () => {
    const event = {
      fromAddress: POOL,
      keys: [selectorFromName("ContractDeployed")],
      data: [0xde9n, ALICE, 1n],
    };
    const transactions = [{ transaction: invokeOf(ALICE), events: [event] }];
    const diff = { deployedContracts: new Map([[0xde9n, 0xc1a55n]]) };
    const { touched } = explorerRows(explorerBlock(4, transactions, diff));
    expect(touched.map(({ contract }) => contract)).toEqual([POOL, 0xde9n]);
  });

  test("are known of every kind of transaction", () => {
    const transactions = EVERY_TRANSACTION.map((transaction) => ({ transaction }));
    const { sent, touched } = explorerRows(explorerBlock(0, transactions));
    const noSender = EVERY_TRANSACTION.flatMap(({ type }, index) =>
      type === "L1_HANDLER" || type === "DEPLOY" ? [index] : [],
    );
    expect(sent.length).toBe(EVERY_TRANSACTION.length - noSender.length);
    expect(touched.map(({ index }) => index)).toEqual(noSender);
  });
});

describe("transfers", () => {
  test("have a row for each holder, with the position of the event", () => {
    const events = [
      { fromAddress: POOL, keys: [1n], data: [] },
      transferEvent(TOKEN, ALICE, BOB, 9n),
    ];
    const transactions = [{ transaction: invokeOf(BOB) }, { transaction: invokeOf(ALICE), events }];
    expect(explorerRows(explorerBlock(0, transactions)).transfers).toEqual([
      { holder: ALICE, token: TOKEN, index: 1, event: 1 },
      { holder: BOB, token: TOKEN, index: 1, event: 1 },
    ]);
  });

  test("of mints and burns have one row, and of transfers to oneself, too", () => {
    const events = [
      transferEvent(TOKEN, 0n, ALICE, 9n),
      transferEvent(TOKEN, ALICE, 0n, 9n),
      transferEvent(TOKEN, ALICE, ALICE, 9n),
    ];
    const { transfers } = explorerRows(
      explorerBlock(0, [{ transaction: invokeOf(ALICE), events }]),
    );
    expect(transfers.map(({ holder, event }) => [holder, event])).toEqual([
      [ALICE, 0],
      [ALICE, 1],
      [ALICE, 2],
    ]);
  });
});

describe("classes", () => {
  const declare = EVERY_TRANSACTION.find((each) => each.type === "DECLARE" && each.version === 3);

  test("name the transaction that declared them, if it succeeded", () => {
    if (declare?.type !== "DECLARE") throw new TypeError("there is a declaration");
    const { classHash } = declare;
    const diff = {
      declaredClasses: new Map([[classHash, 1n]]),
      deprecatedDeclaredClasses: new Set([3n]),
    };
    const status = { kind: "reverted", reason: "" } as const;
    const transactions = [{ transaction: declare, status }, { transaction: declare }];
    expect(explorerRows(explorerBlock(0, transactions, diff)).declared).toEqual([
      { classHash: 3n, index: null },
      { classHash, index: 1 },
    ]);
  });

  test("list the contracts that got them", () => {
    const diff = {
      deployedContracts: new Map([[POOL, 1n]]),
      replacedClasses: new Map([
        [BOB, 2n],
        [ALICE, 2n],
      ]),
    };
    expect(explorerRows(explorerBlock(0, [], diff)).contracts).toEqual([
      { contract: POOL, classHash: 1n, how: "deployed" },
      { contract: BOB, classHash: 2n, how: "replaced" },
      { contract: ALICE, classHash: 2n, how: "replaced" },
    ]);
  });
});

gatewayTest("a block of a public network adds what the network reports", () => {
  const block = NETWORK_BLOCKS.find(({ name }) => name.includes("63881"));
  if (block === undefined) throw new TypeError("the fixture is listed");
  const { block: whole, update } = readGatewayWholeBlock(block.json() as JsonValue);
  const { header, transactions } = whole;
  const receipts = whole.receipts.map((receipt) => receipt);
  const rows = explorerRows({ header, transactions, receipts, stateDiff: update.stateDiff });
  const account = 0x121ee62af0143ba26d60ae5516b7ce489b9a971ed4c180371e9509601536ef4n;
  const sequencer = 0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8n;
  const eth = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;
  const strk = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
  const first = 0x2854658f71ba100dfec11831afb4fc74d99ff2ad26e575399534645b45f5a10n;
  const second = 0x779094b2b6a74ddf686f81573c7fb8be4f93f3d7ce3aed8ef8f70aaceefc213n;
  expect(rows).toMatchObject({ number: 63881, timestamp: 1_736_162_406, transactionCount: 4 });
  expect(rows.sent.map(({ sender }) => sender)).toEqual([account, account, account, account]);
  expect(rows.touched.map(({ contract, index }) => [contract, index])).toEqual([
    [first, 0],
    [eth, 0],
    [first, 1],
    [strk, 1],
    [second, 2],
    [first, 2],
    [eth, 2],
    [second, 3],
    [eth, 3],
  ]);
  expect(rows.transfers.map(({ holder, token, index }) => [holder, token, index])).toEqual(
    [eth, strk, eth, eth].flatMap((token, index) => [
      [account, token, index],
      [sequencer, token, index],
    ]),
  );
});
