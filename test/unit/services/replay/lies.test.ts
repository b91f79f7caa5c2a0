import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import { NodeError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { blockHash, type BlockHeader } from "#protocol/chain/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { lie, removed, numberIn, other } from "#test/helpers/replay-lies.ts";
import { replay, replayStory, STORY, STRANGER, type Tamper } from "#test/helpers/replay-world.ts";

let world: DeclareWorld;

beforeAll(async () => {
  world = await replayStory();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const RECEIPT = ["transactions", 0, "receipt"] as const;
const REVERTED = ["transactions", 1, "receipt"] as const;

/** First difference that a replay reports for each false response of the node. */
const LIES: readonly (readonly [what: string, block: number, Tamper, said: object])[] = [
  [
    "another block",
    STORY.transfers,
    lie("getBlockWithReceipts", ["block_number"], () => 7),
    { field: "block_number", ours: "1", theirs: "7" },
  ],
  [
    "a header that has another hash",
    STORY.transfers,
    lie("getBlockWithReceipts", ["timestamp"], () => 5),
    { field: "block_hash of block 1" },
  ],
  [
    "a parent that has another hash",
    STORY.transfers,
    lie("getBlockWithTxHashes", ["new_root"], other),
    { field: "block_hash of block 0" },
  ],
  [
    "an old block that has another hash",
    STORY.last,
    lie("getBlockWithTxHashes", ["new_root"], other, (params) => numberIn(params) === 2),
    { field: "block_hash of block 2" },
  ],
  [
    "an old block without its transactions",
    STORY.last,
    lie(
      "getBlockWithTxHashes",
      ["transactions"],
      () => [],
      (params) => numberIn(params) === 3,
    ),
    { field: "number of transactions of block 3" },
  ],
  [
    "a state update of another block",
    STORY.transfers,
    lie("getStateUpdate", ["block_hash"], other),
    { field: "getStateUpdate: block_hash", theirs: "0xbad" },
  ],
  [
    "another old root",
    STORY.transfers,
    lie("getStateUpdate", ["old_root"], other),
    { field: "getStateUpdate: old_root" },
  ],
  [
    "another new root",
    STORY.transfers,
    lie("getStateUpdate", ["new_root"], other),
    { field: "getStateUpdate: new_root", theirs: "0xbad" },
  ],
  [
    "a state diff without a new balance",
    STORY.transfers,
    (method, result) => (method === "starknet_getStateUpdate" ? withoutNewBalance(result) : result),
    { field: expect.stringMatching(/^state_diff\.storage_diffs of 0x/), theirs: "unchanged" },
  ],
  [
    "a transaction that was not sent",
    STORY.transfers,
    lie("getBlockWithReceipts", ["transactions", 0, "transaction", "calldata", 4], other),
    { field: "receipt.transaction_hash", transaction: { index: 0 } },
  ],
  [
    "a receipt that is not accepted",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "finality_status"], () => "PRE_CONFIRMED"),
    { field: "receipt.finality_status", ours: "ACCEPTED_ON_L2", theirs: "PRE_CONFIRMED" },
  ],
  [
    "another fee",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "actual_fee", "amount"], other),
    { field: "receipt.actual_fee.amount", theirs: "0xbad", transaction: { index: 0 } },
  ],
  [
    "another unit of the fee",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "actual_fee", "unit"], () => "WEI"),
    { field: "receipt.actual_fee.unit", ours: "FRI", theirs: "WEI" },
  ],
  [
    "other resources",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "execution_resources", "l2_gas"], () => 7),
    { field: "receipt.execution_resources.l2_gas", theirs: "7" },
  ],
  [
    "another event",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "events", 0, "data", 0], other),
    { field: "receipt.events[0].data[0]", ours: "0x5", theirs: "0xbad" },
  ],
  [
    "a missing event",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "events", 0], removed),
    { field: "receipt.events.length", ours: "2", theirs: "1" },
  ],
  [
    "a message that was not sent",
    STORY.transfers,
    lie("getBlockWithReceipts", [...RECEIPT, "messages_sent"], () => [
      { from_address: "0x1", to_address: "0x2", payload: [] },
    ]),
    { field: "receipt.messages_sent.length", ours: "0", theirs: "1" },
  ],
  [
    "another revert reason",
    STORY.transfers,
    lie("getBlockWithReceipts", [...REVERTED, "revert_reason"], () => "because"),
    { field: "receipt.revert_reason", theirs: "because", transaction: { index: 1 } },
  ],
  [
    "success of a reverted transaction",
    STORY.transfers,
    lie("getBlockWithReceipts", [...REVERTED, "execution_status"], () => "SUCCEEDED"),
    { field: "receipt.execution_status", ours: "REVERTED", theirs: "SUCCEEDED" },
  ],
  [
    "another address of an account that was deployed",
    STORY.deployment,
    lie("getBlockWithReceipts", [...RECEIPT, "contract_address"], other),
    { field: "receipt.contract_address", theirs: "0xbad" },
  ],
  [
    "another nonce in the state diff",
    STORY.transfers,
    lie("getStateUpdate", ["state_diff", "nonces", 0, "nonce"], other),
    { field: expect.stringMatching(/^state_diff\.nonces: 0x/), ours: "0x2", theirs: "0xbad" },
  ],
  [
    "a missing change in the state diff",
    STORY.transfers,
    lie("getStateUpdate", ["state_diff", "nonces", 0], removed),
    { field: expect.stringMatching(/^state_diff\.nonces: 0x/), theirs: "unchanged" },
  ],
  [
    "a change that no transaction made",
    STORY.empty,
    lie("getStateUpdate", ["state_diff", "storage_diffs"], () => [
      { address: "0x5", storage_entries: [{ key: "0x6", value: "0x7" }] },
    ]),
    { field: "state_diff.storage_diffs of 0x5: 0x6", ours: "unchanged", theirs: "0x7" },
  ],
  [
    "another alias",
    STORY.transfers,
    lie("getStateUpdate", ["state_diff", "storage_diffs", 0, "storage_entries", 1, "value"], other),
    { field: expect.stringMatching(/^state_diff\.storage_diffs of 0x2: 0x/), theirs: "0xbad" },
  ],
];

/** Without the first transfer's receiver, whose key has no alias yet. */
function withoutNewBalance(result: JsonValue): JsonValue {
  const balance = storageVariableKey("ERC20_balances", STRANGER);
  const isOther = ({ key }: { readonly key?: string }): boolean => key !== hexFromFelt(balance);
  return JSON.parse(
    JSON.stringify(result, (name, member) =>
      name === "storage_entries" ? (member as { readonly key: string }[]).filter(isOther) : member,
    ),
  ) as JsonValue;
}

describe("false responses of a node are detected", () => {
  test.each(LIES)("%s", async (_, block, tamper, said) => {
    expect(await replay(world, block, tamper)).toMatchObject({
      kind: "differs",
      difference: said,
    });
  });
});

/** A header with changed members and its matching hash, in all responses about the block. */
function forged(number: number, changes: Partial<BlockHeader>): Tamper {
  const header = world.chain.header(number);
  if (header === undefined) throw new TypeError(`there is no block ${number}`);
  const made = { ...header, ...changes };
  const hash = hexFromFelt(blockHash(made));
  return (method, result) => {
    const copy = JSON.parse(JSON.stringify(result)) as Record<string, JsonValue>;
    if (method === "starknet_getBlockWithReceipts") {
      copy["new_root"] = hexFromFelt(made.newRoot);
      copy["parent_hash"] = hexFromFelt(made.parentHash);
      copy["receipt_commitment"] = hexFromFelt(made.receiptCommitment);
      copy["event_commitment"] = hexFromFelt(made.eventCommitment);
      copy["state_diff_commitment"] = hexFromFelt(made.stateDiffCommitment);
      copy["block_hash"] = hash;
      return copy;
    }
    if (method !== "starknet_getStateUpdate") return result;
    copy["block_hash"] = hash;
    copy["new_root"] = hexFromFelt(made.newRoot);
    return copy;
  };
}

test("a header that matches its hash but not its block is reported by the wrong field", async () => {
  for (const [changes, field] of [
    [{ parentHash: 0xbadn }, /^parent_hash of block /],
    [{ newRoot: 0xbadn }, "new_root"],
    [{ receiptCommitment: 0xbadn }, "receipt_commitment"],
    [{ eventCommitment: 0xbadn }, "event_commitment"],
    [{ stateDiffCommitment: 0xbadn }, "state_diff_commitment"],
  ] as const) {
    for (const number of [0, STORY.deletion]) {
      expect(await replay(world, number, forged(number, changes))).toMatchObject({
        kind: "differs",
        difference: {
          field: typeof field === "string" ? field : expect.stringMatching(field),
          theirs: "0xbad",
        },
      });
    }
  }
});

test("an old block of another chain is reported although its header matches its hash", async () => {
  const header = world.chain.header(2);
  if (header === undefined) throw new TypeError("there is no block 2");
  const hash = hexFromFelt(blockHash({ ...header, newRoot: 0xbadn }));
  const tamper: Tamper = (method, result, params) => {
    if (method !== "starknet_getBlockWithTxHashes" || numberIn(params) !== 2) return result;
    return { ...(result as JsonObject), new_root: "0xbad", block_hash: hash };
  };
  expect(await replay(world, STORY.last, tamper)).toMatchObject({
    kind: "differs",
    difference: { field: "parent_hash of block 3", ours: hash },
  });
});

test("a block that is not accepted is an error that names its status", async () => {
  for (const [method, status] of [
    ["getBlockWithReceipts", "PRE_CONFIRMED"],
    ["getBlockWithReceipts", "REJECTED"],
    ["getBlockWithTxHashes", "PRE_CONFIRMED"],
  ] as const) {
    const replayed = replay(
      world,
      STORY.transfers,
      lie(method, ["status"], () => status),
    );
    expect(replayed).rejects.toThrow(/status: expected "ACCEPTED_ON_L2" or "ACCEPTED_ON_L1"/);
  }
});

test("a malformed response is an error that names the method and the place", async () => {
  const tamper = lie("getStorageProof", ["global_roots", "block_hash"], () => 5);
  expect(replay(world, STORY.transfers, tamper)).rejects.toThrow(NodeError);
  expect(replay(world, STORY.transfers, tamper)).rejects.toThrow(
    /starknet_getStorageProof .*global_roots\.block_hash: expected felt/,
  );
});

test("a missing block is the node's error", async () => {
  expect(replay(world, 99)).rejects.toThrow(RpcRefusal);
});
