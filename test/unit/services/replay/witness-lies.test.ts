import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { removed, isOfContracts, lie, other } from "#test/helpers/replay-lies.ts";
import { replay, replayStory, STORY, type Tamper } from "#test/helpers/replay-world.ts";

let world: DeclareWorld;

beforeAll(async () => {
  world = await replayStory();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

/** First difference that a replay reports for each false statement about the state that was read. */
const LIES: readonly (readonly [what: string, block: number, Tamper, said: object])[] = [
  [
    "another transaction's trace",
    STORY.transfers,
    lie("traceBlockTransactions", ["traces", 1, "transaction_hash"], other),
    { field: "traceBlockTransactions: transaction_hash", transaction: { index: 1 } },
  ],
  [
    "a missing trace",
    STORY.transfers,
    lie("traceBlockTransactions", ["traces", 1], removed),
    { field: "number of traces", ours: "2", theirs: "1" },
  ],
  [
    "another read value",
    STORY.transfers,
    lie("traceBlockTransactions", ["initial_reads", "storage", 0, "value"], other),
    { field: expect.stringMatching(/^initial_reads\.storage 0x\w+ of 0x/), theirs: "0xbad" },
  ],
  [
    "another read nonce",
    STORY.transfers,
    lie("traceBlockTransactions", ["initial_reads", "nonces", 0, "nonce"], other),
    { field: expect.stringMatching(/^initial_reads\.nonces of 0x/), theirs: "0xbad" },
  ],
  [
    "a declared class that does not exist",
    STORY.transfers,
    lie(
      "traceBlockTransactions",
      ["initial_reads", "declared_contracts", 0, "is_declared"],
      () => false,
    ),
    { field: expect.stringMatching(/^initial_reads\.declared_contracts of 0x/) },
  ],
  [
    "no mention of an executed class",
    STORY.transfers,
    lie("traceBlockTransactions", ["initial_reads", "declared_contracts"], () => []),
    {
      field: "initial_reads",
      ours: expect.stringMatching(/^the block reads the \w.* of class 0x/),
      theirs: "its trace does not report it",
    },
  ],
  [
    "a proof of another block",
    STORY.transfers,
    lie("getStorageProof", ["global_roots", "block_hash"], other),
    { field: "getStorageProof at block 0: global_roots.block_hash", theirs: "0xbad" },
  ],
  [
    "a proof in another state",
    STORY.transfers,
    lie("getStorageProof", ["global_roots", "contracts_tree_root"], other),
    { field: "getStorageProof at block 0: hash of global_roots" },
  ],
  [
    "a node of a proof that has another hash",
    STORY.transfers,
    lie("getStorageProof", ["contracts_proof", "nodes", 0, "node", "left"], other),
    { field: "hash of a proof node of the contracts trie" },
  ],
  [
    "a proof without a node",
    STORY.transfers,
    lie("getStorageProof", ["contracts_proof", "nodes", 0], removed),
    {
      field: expect.stringMatching(/^proof of 0x\w+ in the contracts trie$/),
      theirs: "nodes that do not form it",
    },
  ],
  [
    "a proof without a node of a contract's storage",
    STORY.transfers,
    lie("getStorageProof", ["contracts_storage_proofs", 0, 0], removed, isOfContracts),
    { field: expect.stringMatching(/^proof of 0x\w+ in the storage of 0x/) },
  ],
  [
    "another nonce of a contract",
    STORY.transfers,
    lie(
      "getStorageProof",
      ["contracts_proof", "contract_leaves_data", 0, "nonce"],
      other,
      isOfContracts,
    ),
    { field: expect.stringMatching(/^leaf of contract 0x/) },
  ],
  [
    "another class of a contract",
    STORY.transfers,
    lie(
      "getStorageProof",
      ["contracts_proof", "contract_leaves_data", 0, "class_hash"],
      other,
      isOfContracts,
    ),
    { field: expect.stringMatching(/^leaf of contract 0x/) },
  ],
  [
    "a missing leaf",
    STORY.transfers,
    lie("getStorageProof", ["contracts_proof", "contract_leaves_data", 0], removed, isOfContracts),
    { field: "getStorageProof at block 0: number of contract_leaves_data" },
  ],
  [
    "another class",
    STORY.transfers,
    lie("getClass", ["abi"], () => "[]"),
    { field: expect.stringMatching(/^hash of the class that getClass returns for 0x/) },
  ],
];

describe("false statements about the state that a block read are detected", () => {
  test.each(LIES)("%s", async (_, block, tamper, said) => {
    expect(await replay(world, block, tamper)).toMatchObject({
      kind: "differs",
      difference: said,
    });
  });
});
