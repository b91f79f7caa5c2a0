import { describe, expect, test } from "bun:test";
import {
  computeCommitments,
  EMPTY_STATE_DIFF,
  type Event,
  eventLeaves,
  IncrementalCommitments,
  type HashedTransaction,
  type Receipt,
  receiptLeaves,
  type StateDiff,
  stateDiffCommitment,
  stateDiffLength,
  transactionLeaves,
} from "#protocol/chain/index.ts";
import { pedersen, poseidon } from "#protocol/crypto/index.ts";
import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { indexTreeRoot } from "#test/helpers/index-tree-root.ts";
import { naiveTrieRoot } from "#test/helpers/reference/trie.ts";

// Inputs and expected values of starkware-libs/sequencer,
// crates/starknet_api/src/block_hash/*_test.rs.

const TRANSACTION: HashedTransaction = {
  hash: 1n,
  transaction: {
    type: "INVOKE",
    version: 1,
    maxFee: 0n,
    signature: [2n, 3n],
    nonce: 0n,
    senderAddress: 0n,
    calldata: [],
  },
};

const UNSIGNED: HashedTransaction = {
  hash: 1n,
  transaction: {
    type: "L1_HANDLER",
    version: 0,
    nonce: 0n,
    contractAddress: 0n,
    entryPointSelector: 0n,
    calldata: [],
    paidFeeOnL1: null,
  },
};

const message = (seed: bigint) => ({
  fromAddress: seed,
  toAddress: seed + 1n,
  payload: [seed + 2n, seed + 3n],
});

function receipt(transactionHash: Felt): Receipt {
  return {
    transactionHash,
    actualFee: 99804n,
    feeUnit: "WEI",
    events: [],
    messages: [message(34n), message(56n)],
    status: { kind: "reverted", reason: "aborted" },
    gas: { l1Gas: 16580n, l2Gas: 0n, l1DataGas: 32n },
    daGas: { l1Gas: 0n, l2Gas: 0n, l1DataGas: 0n },
    vmResources: { steps: 0, memoryHoles: 0, builtins: {} },
  };
}

const STATE_DIFF: StateDiff = {
  ...EMPTY_STATE_DIFF,
  deployedContracts: new Map([
    [0n, 1n],
    [2n, 3n],
  ]),
  storageDiffs: new Map([
    [
      4n,
      new Map([
        [5n, 6n],
        [7n, 8n],
      ]),
    ],
    [9n, new Map([[10n, 11n]])],
  ]),
  declaredClasses: new Map([
    [12n, 13n],
    [14n, 15n],
  ]),
  deprecatedDeclaredClasses: new Set([16n]),
  nonces: new Map([[17n, 18n]]),
  replacedClasses: new Map([[19n, 20n]]),
};

const blockEvent = (seed: bigint): { transactionHash: Felt; event: Event } => ({
  transactionHash: 0x1234n,
  event: {
    fromAddress: seed + 8n,
    keys: [seed, seed + 1n],
    data: [seed + 2n, seed + 3n, seed + 4n],
  },
});

describe("transaction commitment", () => {
  test("hashes a leaf with its signature", () => {
    expect(transactionLeaves([TRANSACTION], "0.13.4")).toEqual([
      0x2f0d8840bcf3bc629598d8a6cc80cb7c0d9e52d93dab244bbf9cd0dca0ad082n,
    ]);
  });
  test("hashes a leaf without signature before 0.13.4", () => {
    expect(transactionLeaves([UNSIGNED], "0.13.2")).toEqual([
      0xa93bf5e58b9378d093aa86ddc2f61a3295a1d1e665bd0ef3384dd07b30e033n,
    ]);
  });
  test("computes the root of two equal leaves", () => {
    expect(indexTreeRoot(transactionLeaves([TRANSACTION, TRANSACTION], "0.13.4"))).toBe(
      0x282b635972328bd1cfa86496fe920d20bd9440cd78ee8dc90ae2b383d664dcfn,
    );
  });
});

describe("event commitment", () => {
  test("hashes a leaf", () => {
    expect(eventLeaves([blockEvent(2n)], "0.13.2")).toEqual([
      0x367807f532742a4dcbe2d8a47b974b22dd7496faa75edc64a3a5fdb6709057n,
    ]);
  });
  test("computes the root of three events", () => {
    const events = [0n, 1n, 2n].map(blockEvent);
    expect(indexTreeRoot(eventLeaves(events, "0.13.2"))).toBe(
      0x69bb140ddbbeb01d81c7201ecfb933031306e45dab9c77ff9f9ba3cd4c2b9c3n,
    );
  });
  test("is 0 for a block without events", () => {
    const body = { transactions: [], receipts: [], stateDiff: EMPTY_STATE_DIFF };
    expect(computeCommitments(body, "0.13.2").eventCommitment).toBe(0n);
  });
});

describe("receipt commitment", () => {
  test("hashes the leaf of a reverted transaction with messages", () => {
    expect(receiptLeaves([receipt(1234n)])).toEqual([
      0x6276abf21e7c68b2eecfdc8a845b11b44401901f5f040efe10c60d625049646n,
    ]);
  });
  test("computes the root of one receipt", () => {
    expect(indexTreeRoot(receiptLeaves([receipt(1234n)]))).toBe(
      0x31963cb891ebb825e83514deb748c89b6967b5368cbc48a9b56193a1464ca87n,
    );
  });
});

describe("state diff commitment", () => {
  test("covers every part", () => {
    expect(stateDiffCommitment(STATE_DIFF)).toBe(
      0x281f5966e49ad7dad9323826d53d1d27c0c4e6ebe5525e2e2fbca549bfa0a67n,
    );
  });
  test("ignores contracts without storage changes", () => {
    const storageDiffs = new Map([
      ...STATE_DIFF.storageDiffs,
      [3n, new Map<Felt, Felt>()] as const,
    ]);
    expect(stateDiffCommitment({ ...STATE_DIFF, storageDiffs })).toBe(
      stateDiffCommitment(STATE_DIFF),
    );
  });
  test("treats migrated compiled classes as declared", () => {
    const moved = {
      ...STATE_DIFF,
      declaredClasses: new Map([[12n, 13n]]),
      migratedCompiledClasses: new Map([[14n, 15n]]),
    };
    expect(stateDiffCommitment(moved)).toBe(stateDiffCommitment(STATE_DIFF));
  });
  test("counts its length", () => {
    expect(stateDiffLength(STATE_DIFF)).toBe(10);
  });
});

describe("IncrementalCommitments", () => {
  test.each([[[1, 1, 1]], [[3, 0, 4, 1]], [[8, 8, 1]], [[0, 5]], [[13]]])(
    "are independent of the batch sizes: %p",
    (batches) => {
      const count = batches.reduce((sum, size) => sum + size, 0);
      const transactions = Array.from({ length: count }, (_, i) => ({
        ...TRANSACTION,
        hash: BigInt(i + 1),
      }));
      const receipts = transactions.map(({ hash }, i) => ({
        ...receipt(BigInt(i)),
        transactionHash: hash,
      }));
      for (const version of ["0.11.1", "0.13.1", "0.13.2", "0.14.0"]) {
        const incremental = new IncrementalCommitments(version);
        let at = 0;
        for (const size of batches) {
          incremental.add(transactions.slice(at, at + size), receipts.slice(at, at + size));
          at += size;
        }
        const leaves = transactionLeaves(transactions, version);
        const hash = version.startsWith("0.13.2") || version === "0.14.0" ? poseidon : pedersen;
        const map = new Map(leaves.map((leaf, index) => [BigInt(index), leaf]));
        const { transactionCommitment, transactionCount } = incremental.finish(EMPTY_STATE_DIFF);
        expect(transactionCommitment).toBe(naiveTrieRoot(map, 64, hash));
        expect(transactionCount).toBe(count);
      }
    },
  );
});

describe("indexTreeRoot", () => {
  test("computes the root of 1, 2, 3 (madara, compute_root.rs)", () => {
    expect(indexTreeRoot([1n, 2n, 3n])).toBe(
      0x3b5cc7f1292eb3847c3f902d048a7e5dc7702d1c191ccd17c2d33f797e6fc32n,
    );
  });
  for (const [name, pair] of [
    ["pedersen", pedersen],
    ["poseidon", poseidon],
  ] as const) {
    for (const count of [0, 1, 2, 3, 4, 5, 7, 8, 11]) {
      test(`computes the ${name} root of ${count} leaves like the sparse trie`, () => {
        const leaves = Array.from({ length: count }, (_, i) => FIELD_PRIME - 1n - BigInt(i));
        const map = new Map(leaves.map((leaf, i) => [BigInt(i), leaf]));
        expect(indexTreeRoot(leaves, name)).toBe(naiveTrieRoot(map, 64, pair));
      });
    }
  }
});
