import type { Felt } from "#base/primitives/index.ts";
import {
  EMPTY_STATE_DIFF,
  type Event,
  type HashedTransaction,
  type Receipt,
  type StateDiff,
  type Transaction,
} from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { testHeader } from "./blocks.ts";
import type { FakeBlock } from "./fake-chain.ts";
import { INVOKE_V3 } from "./sample-chain.ts";

/** Selector of transfer events. */
export const TRANSFER: Felt = selectorFromName("Transfer");

/** A transaction with its events. */
export interface ExplorerTransaction {
  readonly transaction: Transaction;
  readonly events?: readonly Event[];
  readonly status?: Receipt["status"];
}

/** An invoke transaction of `sender` with a call array of Cairo 1 accounts. */
export function invokeOf(sender: Felt, ...targets: readonly Felt[]): Transaction {
  const calls = targets.flatMap((target) => [target, 0x5e1ec7n, 1n, 7n]);
  return { ...INVOKE_V3, senderAddress: sender, calldata: [BigInt(targets.length), ...calls] };
}

/** Transfer event of a fungible token with its holders in the keys. */
export function transferEvent(token: Felt, from: Felt, to: Felt, amount: bigint): Event {
  return { fromAddress: token, keys: [TRANSFER, from, to], data: [amount, 0n] };
}

/** A block with made-up hashes; `fork` distinguishes blocks of one number. */
export function explorerBlock(
  number: number,
  transactions: readonly ExplorerTransaction[],
  stateDiff: Partial<StateDiff> = {},
  fork: { readonly own: number; readonly parent: number } = { own: 0, parent: 0 },
): FakeBlock {
  const hashed: HashedTransaction[] = transactions.map(({ transaction }, index) => ({
    hash: (BigInt(fork.own) << 128n) + (BigInt(number + 1) << 64n) + BigInt(index),
    transaction,
  }));
  return {
    header: {
      ...testHeader(number, fork.own, fork.parent),
      transactionCount: transactions.length,
    },
    transactions: hashed,
    receipts: transactions.map(({ events = [], status = { kind: "succeeded" } }, index) => ({
      transactionHash: hashed[index]?.hash ?? 0n,
      actualFee: 5n,
      feeUnit: "FRI",
      events,
      messages: [],
      status,
      gas: { l1Gas: 0n, l1DataGas: 0n, l2Gas: 100n },
      daGas: { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n },
      vmResources: { steps: 0, memoryHoles: 0, builtins: {} },
    })),
    stateDiff: { ...EMPTY_STATE_DIFF, ...stateDiff },
  };
}
