import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import type { L1BlockId, MessageLog } from "#io/l1/index.ts";
import {
  encodeTransaction,
  type L1Handler,
  l1MessageHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { L1HandlerOrder } from "./ports.ts";

/** An L1 message that is in no block yet. */
export interface WaitingMessage extends L1HandlerOrder {
  /** Hash that identifies it in the core contract. */
  readonly messageHash: bigint;
  /** L1 block of its log. */
  readonly l1Block: L1BlockId;
}

/** The L1-handler transaction of a message, or why the message does not form one. */
export type MessageTransaction =
  | { readonly kind: "usable"; readonly hash: Felt; readonly transaction: L1Handler }
  | { readonly kind: "unusable"; readonly what: string };

/** Hashing work, in felts, after which other work gets its turn: some milliseconds. */
export const SLICE_FELTS = 3000;

/** Approximate number of felts hashed for a message in addition to its payload. */
export const NON_PAYLOAD_FELTS = 16;

/** Upper bound of the fee paid on L1, which a transaction holds in 128 bits. */
const FEE_BOUND = 1n << 128n;

/** Builds the transaction that executes a message. */
export function transactionOf(message: MessageLog, chainId: Felt): MessageTransaction {
  const { nonce, fromAddress, toAddress, selector, payload, feeWei } = message;
  const values = { nonce, fromAddress, toAddress, selector };
  for (const [name, value] of Object.entries(values)) {
    if (!isFelt(value)) return unusable(`${name} is not a felt`);
  }
  const wrong = payload.findIndex((value) => !isFelt(value));
  if (wrong !== -1) return unusable(`payload[${wrong}] is not a felt`);
  if (feeWei >= FEE_BOUND) return unusable("the fee has more than 128 bits");
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: toAddress,
    entryPointSelector: selector,
    calldata: [fromAddress, ...payload],
    paidFeeOnL1: feeWei,
  };
  return { kind: "usable", hash: transactionHash(transaction, chainId), transaction };
}

/** Combines a message with the data that its execution needs. */
export function waitingMessage(
  { l1Block, transactionHash: l1TransactionHash }: MessageLog,
  { hash, transaction }: MessageTransaction & { readonly kind: "usable" },
): WaitingMessage {
  return {
    bytes: encodeTransaction({ hash, transaction }),
    transactionHash: hash,
    nonce: transaction.nonce,
    messageHash: l1MessageHash(transaction),
    l1TransactionHash,
    l1BlockNumber: l1Block.number,
    l1Block,
  };
}

function isFelt(value: bigint): boolean {
  return value >= 0n && value < FIELD_PRIME;
}

function unusable(what: string): MessageTransaction {
  return { kind: "unusable", what };
}
