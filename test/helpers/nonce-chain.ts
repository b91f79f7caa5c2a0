import { EMPTY_STATE_DIFF, type HashedTransaction, type Receipt } from "#protocol/chain/index.ts";
import type { BlockCommit } from "#io/storage/index.ts";
import { blockCommit } from "./blocks.ts";

const NO_GAS = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

/**
 * Block `number` of a chain in which contract 1's nonce is the block's number; 5 transactions each.
 */
export function nonceBlock(number: number): BlockCommit {
  const hashes = [0, 1, 2, 3, 4].map((i) => BigInt(number * 5 + i) * 0x1_0000_0001n + 1n);
  const transactions = hashes.map((hash): HashedTransaction => ({
    hash,
    transaction: {
      type: "L1_HANDLER",
      version: 0,
      nonce: BigInt(number),
      contractAddress: 1n,
      entryPointSelector: 2n,
      calldata: [hash],
      paidFeeOnL1: null,
    },
  }));
  const receipts = hashes.map((transactionHash): Receipt => ({
    transactionHash,
    actualFee: 0n,
    feeUnit: "WEI",
    events: [{ fromAddress: 1n, keys: [2n], data: [transactionHash] }],
    messages: [],
    status: { kind: "succeeded" },
    gas: NO_GAS,
    daGas: NO_GAS,
    vmResources: { steps: 100, memoryHoles: 0, builtins: {} },
  }));
  const root = { id: number + 1, hash: BigInt(number) };
  return blockCommit(number, {
    transactions,
    receipts,
    stateDiff: {
      ...EMPTY_STATE_DIFF,
      storageDiffs: new Map([[1n, new Map(hashes.map((hash) => [hash, BigInt(number) + 1n]))]]),
      nonces: new Map([[1n, BigInt(number)]]),
    },
    trie: {
      added: [{ id: number + 1, bytes: Uint8Array.of(1, 2, 3), hash: null }],
      removed: [],
      roots: [{ kind: "classes", contractAddress: 0n, root }],
      lastNodeId: number + 1,
    },
  });
}
