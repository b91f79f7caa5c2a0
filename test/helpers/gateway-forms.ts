import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GatewayBlock } from "#io/feeder/index.ts";
import type {
  HashedTransaction,
  Receipt,
  SealedBlock,
  StateDiff,
  Transaction,
} from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";

const TRIE_LIMIT = 1n << 251n;

/**
 * Protocol versions to test the gateway's encoding with: one for each form of blocks and receipts.
 */
export const VERSIONS = ["", "0.13.0", "0.13.1", "0.13.2", "0.13.4", "0.14.1", "0.14.4"];

/** Passes a value through JSON text, as between a server and a client. */
export function sent(value: JsonValue): JsonValue {
  return parseJson(stringifyJson(value));
}

/** State diff with keys within the range of the tries. */
export function withinTries(diff: StateDiff): StateDiff {
  const keys = <V>(map: ReadonlyMap<Felt, V>): Map<Felt, V> =>
    new Map(Array.from(map, ([key, value]) => [key % TRIE_LIMIT, value]));
  return {
    storageDiffs: new Map(
      Array.from(keys(diff.storageDiffs), ([address, entries]) => [address, keys(entries)]),
    ),
    nonces: keys(diff.nonces),
    deployedContracts: keys(diff.deployedContracts),
    replacedClasses: keys(diff.replacedClasses),
    declaredClasses: keys(diff.declaredClasses),
    deprecatedDeclaredClasses: new Set(
      Array.from(diff.deprecatedDeclaredClasses, (hash) => hash % TRIE_LIMIT),
    ),
    migratedCompiledClasses: keys(diff.migratedCompiledClasses),
  };
}

/** Transaction without the members that gateways omit, and with addresses within the state trie. */
export function transactionOf(transaction: Transaction): Transaction {
  const within: Record<string, unknown> = { ...transaction };
  for (const name of ["senderAddress", "contractAddress"] as const) {
    if (name in within) within[name] = (within[name] as Felt) % TRIE_LIMIT;
  }
  if (transaction.type === "L1_HANDLER") within["paidFeeOnL1"] = null;
  return within as unknown as Transaction;
}

/** A receipt as a gateway can represent it. */
export function receiptOf(receipt: Receipt, of: HashedTransaction): Receipt {
  const { isImpersonated: _impersonated, ...rest } = receipt;
  return {
    ...rest,
    transactionHash: of.hash,
    feeUnit: of.transaction.version === 3 ? "FRI" : "WEI",
  };
}

/** A block as a gateway of that version can represent it. */
export function blockOf(sealed: SealedBlock, protocolVersion: string): GatewayBlock {
  const { transactionCount: _t, eventCount: _e, ...header } = sealed.header;
  const isFrom = compareProtocolVersions(protocolVersion, "0.13.2") >= 0;
  const transactions = sealed.transactions.map(({ hash, transaction }) => ({
    hash,
    transaction: transactionOf(transaction),
  }));
  return {
    header: {
      ...header,
      protocolVersion,
      status: "ACCEPTED_ON_L2",
      ...(isFrom
        ? {}
        : {
            receiptCommitment: undefined,
            stateDiffCommitment: undefined,
            stateDiffLength: undefined,
          }),
    },
    transactions,
    receipts: sealed.receipts.map((receipt, i) =>
      receiptOf(receipt, transactions[i] as HashedTransaction),
    ),
  };
}
