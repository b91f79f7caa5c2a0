import {
  type BlockInfo,
  emptyStateDiff,
  type Receipt,
  type StateDiff,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { PreConfirmedAnswer, PreConfirmedBlock } from "#io/feeder/index.ts";
import { PendingFeed } from "#services/admission/index.ts";
import { infoOf } from "./committer-world.ts";
import { emptyInvoke } from "./mempool-world.ts";
import { SourceChain } from "./source-chain.ts";
import { SYNC_SETTINGS, syncWorld } from "./sync-world.ts";

const GAS = { l1Gas: 1n, l1DataGas: 0n, l2Gas: 0n };

/** Transaction of an open block as the gateway of {@link OpenBlocks} shows it, executed or not. */
export interface OpenTransaction {
  readonly nonce: bigint;
  readonly isCandidate?: boolean;
  readonly diff?: StateDiff;
}

/** Hash of the transaction with a nonce. */
export function openHash(nonce: bigint): bigint {
  return transactionHash(emptyInvoke(1n, nonce), SYNC_SETTINGS.chainId);
}

/** Receipt of a successful transaction without effects. */
export function receiptOf(transactionHash_: bigint): Receipt {
  return {
    transactionHash: transactionHash_,
    actualFee: 1n,
    feeUnit: "FRI",
    events: [],
    messages: [],
    status: { kind: "succeeded" },
    gas: GAS,
    daGas: GAS,
    vmResources: { steps: 1, memoryHoles: 0, builtins: {} },
  };
}

/** State diff of a transaction: writes its nonce to key 1. */
function writeOf(nonce: bigint): StateDiff {
  const diff = emptyStateDiff();
  diff.storageDiffs.set(5n, new Map([[1n, nonce]]));
  return diff;
}

function partOf(transactions: readonly OpenTransaction[]) {
  return {
    transactions: transactions.map(({ nonce }) => ({
      hash: openHash(nonce),
      transaction: emptyInvoke(1n, nonce),
    })),
    receipts: transactions.map(({ nonce, isCandidate }) =>
      isCandidate === true ? null : receiptOf(openHash(nonce)),
    ),
    stateDiffs: transactions.map(({ nonce, isCandidate, diff }) =>
      isCandidate === true ? null : (diff ?? writeOf(nonce)),
    ),
  };
}

/** A sequencer's blocks above the accepted ones, with its gateway's responses. */
export class OpenBlocks {
  readonly blocks = new Map<
    number,
    { identifier: string | undefined; transactions: OpenTransaction[] }
  >();

  /** Sets a block, with transactions by nonce. */
  set(
    number: number,
    identifier: string | undefined,
    nonces: readonly bigint[],
  ): OpenTransaction[] {
    const transactions = nonces.map((nonce) => ({ nonce }));
    this.blocks.set(number, { identifier, transactions });
    return transactions;
  }

  /** Complete block of a number; `undefined` if it is unknown. */
  whole(number: number, info: Partial<BlockInfo> = {}): PreConfirmedBlock | undefined {
    const block = this.blocks.get(number);
    if (block === undefined) return undefined;
    const { identifier, transactions } = block;
    return { info: { ...infoOf(number), ...info }, identifier, ...partOf(transactions) };
  }

  /** Response of get_preconfirmed_block. */
  answer(
    number: number | "latest",
    known: { identifier: string; transactionCount: number } | undefined,
  ): PreConfirmedAnswer | undefined {
    if (number === "latest") return undefined;
    const open = this.blocks.get(number);
    const block = this.whole(number);
    if (open === undefined || block === undefined) return undefined;
    if (known === undefined || known.identifier !== open.identifier)
      return { kind: "whole", block };
    const rest = open.transactions.slice(known.transactionCount);
    if (rest.length === 0) return { kind: "unchanged" };
    return { kind: "more", identifier: known.identifier, number, ...partOf(rest) };
  }
}

/** A follower at the tip of a chain of three blocks, and a reader that receives its messages. */
export async function pendingWorld() {
  const chain = new SourceChain().grow(3);
  const synced = await syncWorld(chain);
  const open = new OpenBlocks();
  synced.source.answerPreConfirmed = (number, known) => open.answer(number, known);
  await synced.until(() => synced.latest() === 2);
  const feed = new PendingFeed(synced.folder.reader, synced.timer);
  let heard = synced.reader.sent.length;
  /** View of the reader: blocks above the accepted ones, each with its nonces. */
  const seen = (): string[] => {
    for (; heard < synced.reader.sent.length; heard++) {
      const message = synced.reader.sent[heard];
      if (message?.kind === "delta") feed.delta(message);
      else if (message?.kind === "accepted") feed.accepted(message);
      else feed.lost();
    }
    return feed
      .current()
      .blocks()
      .map(({ info, transactions }) => {
        const nonces = transactions.map(({ transaction }) =>
          "nonce" in transaction ? transaction.nonce : "none",
        );
        return `${info.number}: ${nonces.join(" ")}`;
      });
  };
  const kinds = (): string[] => synced.reader.sent.map(({ kind }) => kind);
  return { ...synced, chain, open, feed, seen, kinds };
}
