import type { AccountTransaction } from "#protocol/chain/index.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { type OriginQuery, withCompanions } from "#io/origin/index.ts";
import { callReads } from "./call-reads.ts";

/** Variables in which widespread account classes keep the keys of their owners. */
const ACCOUNT_KEYS: readonly Felt[] = ["Account_public_key", "_signer", "_guardian"].map(
  selectorFromName,
);

/** Chain of a fork on which {@link expectedReads} expects a transaction to execute. */
export interface ExpectedPlace {
  /** Number of the fork block. */
  readonly block: number;
  /** Token in which fees are paid. */
  readonly feeToken: Felt;
  /** Further variables that accounts on this chain have read in themselves. */
  readonly ownKeys: readonly Felt[];
}

/** Returns what the check and the execution of a transaction are likely to read, without duplicates of queries. */
export function expectedReads(
  transaction: AccountTransaction,
  place: ExpectedPlace,
): readonly OriginQuery[] {
  const sender = senderAddressOf(transaction);
  return [...senderReads(sender, place), ...callReads(transaction, place.block)];
}

/** Returns what the check of an account's transactions is likely to read. */
export function senderReads(
  sender: Felt,
  { block, feeToken, ownKeys }: ExpectedPlace,
): readonly OriginQuery[] {
  const keys = new Set([...ACCOUNT_KEYS, ...ownKeys]);
  return [
    ...withCompanions({ kind: "nonce", block, address: sender }),
    ...withCompanions({ kind: "storage", block, address: feeToken, key: balanceKey(sender) }),
    ...[...keys].map((key): OriginQuery => ({ kind: "storage", block, address: sender, key })),
  ];
}
