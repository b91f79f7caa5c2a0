import { mergeStateDiffs } from "#engine/state/index.ts";
import {
  type BlockHeader,
  type BlockInfo,
  type BlockInputs,
  bundledClassOf,
  EMPTY_STATE_DIFF,
  type HashedTransaction,
  l1MessageHash,
} from "#protocol/chain/index.ts";
import { PEDERSEN } from "#protocol/trie/index.ts";
import { bytesFromFelt } from "#base/primitives/index.ts";
import { createChainReader, createChainWriter, type DatabaseHandle } from "#io/storage/index.ts";
import {
  completeBlock,
  type ExecutedOriginals,
  faucetClassOf,
  type Genesis,
} from "#services/sequencer/index.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { type ChainMetadata, encodeMetadata, METADATA_KEY } from "./chain-metadata.ts";
import { NO_ACCOUNTS, type PreparedFolder } from "./prepared-folder.ts";
import { makeSigningKey } from "./signing-key.ts";

/**
 * Database key of the class hash of development accounts, from which their addresses are derived.
 */
export const ACCOUNT_CLASS_KEY = "development-account-class";

/** Database key of the faucet's class hash; absent if it is the class of development accounts. */
export const FAUCET_CLASS_KEY = "development-faucet-class";

/** First block of a chain. */
export interface FirstBlock {
  /** State that the block writes; `undefined` to store no block. */
  readonly genesis: Genesis | undefined;
  /** Transactions whose changes come before those of the genesis; `undefined` without any. */
  readonly originals: ExecutedOriginals | undefined;
  readonly info: BlockInfo;
  readonly metadata: ChainMetadata;
  /** Block before it, of another chain; `undefined` for block 0. */
  readonly parent: BlockHeader | undefined;
}

const NO_TRANSACTIONS: ExecutedOriginals = {
  transactions: [],
  receipts: [],
  classes: [],
  stateDiff: EMPTY_STATE_DIFF,
  differences: [],
};

/** Stores metadata and first block of a chain without blocks, and creates its key. */
export function storeGenesis(
  { files }: Pick<NodeSetup, "files">,
  database: DatabaseHandle,
  { genesis, originals = NO_TRANSACTIONS, info, metadata, parent }: FirstBlock,
): Omit<PreparedFolder, "folder"> {
  const { privateKey } = makeSigningKey(files.signingKey);
  const writer = createChainWriter(database);
  writer.putValue(METADATA_KEY, encodeMetadata(metadata));
  if (genesis === undefined) return { nextBlock: info.number, isResumed: false, ...NO_ACCOUNTS };
  const { classes, accounts, classHashes, stateDiff } = genesis;
  const { block, trie } = completeBlock({
    draft: {
      info,
      transactions: originals.transactions,
      receipts: originals.receipts,
      stateDiff: mergeStateDiffs([originals.stateDiff, stateDiff]),
    },
    commitments: null,
    parent,
    stateBefore: createChainReader(database).stateAt(info.number - 1),
    tries: writer.trieStore,
    pedersen: PEDERSEN,
    signingKey: privateKey,
  });
  const accountClass = classHashes.get("account");
  if (accountClass !== undefined) {
    writer.putValue(ACCOUNT_CLASS_KEY, bytesFromFelt(accountClass));
  }
  const faucetClass = faucetClassOf(classHashes);
  if (faucetClass !== undefined && faucetClass !== accountClass) {
    writer.putValue(FAUCET_CLASS_KEY, bytesFromFelt(faucetClass));
  }
  const known = new Set(classes.map(({ classHash }) => classHash));
  const declared = originals.classes.filter(({ classHash }) => !known.has(classHash));
  writer.commitBlock({
    block,
    epoch: 0,
    classes: [...classes, ...declared.map(bundledClassOf)],
    inputs: { l1Messages: consumedBy(originals.transactions) },
    trie,
  });
  return {
    nextBlock: info.number + 1,
    isResumed: false,
    accountClass: accountClass ?? null,
    faucetClass: faucetClass ?? null,
    accounts: () => accounts,
  };
}

/** Messages from L1 among transactions of another network, whose origins on L1 are unknown. */
function consumedBy(transactions: readonly HashedTransaction[]): BlockInputs["l1Messages"] {
  return transactions.flatMap(({ hash: transactionHash, transaction }) =>
    transaction.type === "L1_HANDLER"
      ? [
          {
            transactionHash,
            nonce: transaction.nonce,
            messageHash: l1MessageHash(transaction),
            l1TransactionHash: null,
            l1BlockNumber: null,
          },
        ]
      : [],
  );
}
