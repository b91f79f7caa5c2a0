import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { AgreedState, L1StateUpdate } from "./state-ports.ts";

/** Contents of a state mismatch alarm. */
export interface Mismatch {
  readonly differing: L1StateUpdate;
  /** The chain's own block with that number. */
  readonly own: { readonly hash: Felt; readonly stateRoot: Felt };
  /** Highest block that is the same on L1 and on this chain; `undefined` without one. */
  readonly agreed: AgreedState | undefined;
  /** Each endpoint's report on the differing update. */
  readonly said: string;
}

/**
 * One line that names the last update that agrees, the first that differs, and what the operator can do. L1
 * has roots at updates only, so a block between the two may already be wrong.
 */
export function mismatchText({ differing, own, agreed, said }: Mismatch): string {
  const { blockNumber, blockHash, stateRoot } = differing;
  return (
    `L1 has another state than this chain. ${agreedText(agreed)} The first update that differs is of ` +
    `block ${blockNumber} (${placeText(differing)}): L1 has root ${hexFromFelt(stateRoot)} and hash ` +
    `${hexFromFelt(blockHash)}, this chain has root ${hexFromFelt(own.stateRoot)} and hash ` +
    `${hexFromFelt(own.hash)}. Of the endpoints, ${said}. No block from there on is accepted on L1. ` +
    `Check --l1-endpoint and eth_core_contract_address; if they are right, ` +
    remedy(agreed, differing)
  );
}

function agreedText(agreed: AgreedState | undefined): string {
  if (agreed === undefined) return "No update agrees with it.";
  const { blockNumber, stateRoot, update } = agreed;
  const place = update === undefined ? "accepted before this start" : placeText(update);
  return (
    `The last update that agrees is of block ${blockNumber}, root ${hexFromFelt(stateRoot)} ` +
    `(${place}).`
  );
}

function placeText({ l1Block, transactionHash }: L1StateUpdate): string {
  const block = `L1 block ${l1Block.number}`;
  if (transactionHash === undefined) return `state of the core contract at ${block}`;
  return `L1 transaction ${hex(transactionHash)} in ${block}, ${hex(l1Block.hash)}`;
}

function remedy(agreed: AgreedState | undefined, differing: L1StateUpdate): string {
  const { blockNumber, transactionHash } = differing;
  const transaction = transactionHash === undefined ? "its L1 transaction" : hex(transactionHash);
  const accept = `start with --l1-accept-divergence ${transaction}`;
  if (agreed === undefined || BigInt(agreed.blockNumber) >= blockNumber) {
    return `this chain is not the one that L1 has; to continue with it all the same, ${accept}`;
  }
  const to = agreed.blockNumber;
  return (
    `revert this chain to block ${to} (stop it, then appchain db revert --to ${to} --yes). Published ` +
    `blocks cannot be reverted: ${accept} instead. See docs/l1.md`
  );
}

function hex(hash: bigint): string {
  return `0x${hash.toString(16).padStart(64, "0")}`;
}
