import type { Candidate } from "#api/rpc/index.ts";
import { isJsonObject } from "#base/codec/index.ts";
import { type PendingDelta, PendingOverlay } from "#engine/state/index.ts";
import { readPreConfirmed } from "#io/feeder/index.ts";
import {
  EMPTY_STATE_DIFF,
  encodedTransaction,
  encodeTransaction,
  type StateDiff,
} from "#protocol/chain/index.ts";
import { fakeDiff, fakeHeader, fakeReceipt } from "./fake-chain.ts";
import { feederOf } from "./feeder.ts";
import { INVOKE_V3, SAMPLE_CHAIN, sampleContext } from "./sample-chain.ts";

/** Info of a block above the sample chain. */
export const infoOf = (number: number) => {
  const { timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion } = fakeHeader({
    number,
  });
  return { number, timestamp, sequencerAddress, gasPrices, l1DaMode, protocolVersion };
};

/** A state diff that sets the nonce of contract 0xc0. */
export const nonces = (nonce: bigint): StateDiff => fakeDiff({ nonces: new Map([[0xc0n, nonce]]) });

/** A delta with transactions of these hashes; it sets a nonce to the last hash. */
export function delta(
  blockNumber: number,
  sequence: number,
  hashes: readonly bigint[],
  parts: Partial<PendingDelta> = {},
): PendingDelta {
  return {
    blockNumber,
    sequence,
    info: sequence === 0 ? infoOf(blockNumber) : null,
    transactions: hashes.map((hash) => encodedTransaction({ hash, transaction: INVOKE_V3 })),
    receipts: hashes.map((transactionHash) => fakeReceipt({ transactionHash })),
    diff: hashes.length === 0 ? EMPTY_STATE_DIFF : nonces(hashes.at(-1) ?? 0n),
    classes: [],
    sealed: false,
    ...parts,
  };
}

/**
 * Context of a chain with the blocks of deltas above it; block 2 is the first above the accepted
 * ones.
 */
export function preConfirmedContext(overlay: PendingOverlay) {
  const idle = { ...infoOf(2), timestamp: 99 };
  return sampleContext({
    pending: () =>
      overlay.newest() ?? {
        info: { ...idle },
        transactions: [],
        receipts: [],
        stateDiff: EMPTY_STATE_DIFF,
        state: overlay.state(),
        find: () => undefined,
      },
    unaccepted: () => overlay.blocks(),
  });
}

/** A feeder gateway over a {@link preConfirmedContext}, with functions to add deltas and to poll. */
export function preConfirmedWorld() {
  const overlay = new PendingOverlay(SAMPLE_CHAIN);
  const context = preConfirmedContext(overlay);
  const feeder = feederOf({ context });
  const hand = (hashes: readonly bigint[]) => {
    feeder.feed.candidates(hashes.map(candidateOf));
  };
  const poll = async (query: string) => {
    const { json, status } = await feeder.ask(`get_preconfirmed_block?${query}`);
    if (status !== 200) return { json, status, answer: undefined, hashes: undefined };
    const number = /blockNumber=(\d+)/.exec(query)?.[1];
    const answer = readPreConfirmed(json, number === undefined ? undefined : Number(number));
    const part = answer.kind === "whole" ? answer.block : answer;
    const hashes = "transactions" in part ? part.transactions.map(({ hash }) => hash) : undefined;
    return { json, status, answer, hashes };
  };
  return { overlay, ...feeder, hand, poll, apply: (each: PendingDelta) => overlay.apply(each) };
}

/** A candidate, an invoke with this hash, as admission sends it to the executor. */
export function candidateOf(hash: bigint): Candidate {
  const transaction = { hash, transaction: INVOKE_V3 };
  const bytes = encodeTransaction(transaction);
  return { hash, isAgain: false, bytes, transaction: () => transaction };
}

/** `block_identifier` of a response; empty if it is missing. */
export const identifierOf = (json: unknown): string =>
  isJsonObject(json) && typeof json["block_identifier"] === "string"
    ? json["block_identifier"]
    : "";
