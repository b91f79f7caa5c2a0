import { resultOf, type RunningChain } from "../binary.ts";
import type { Question } from "./question.ts";

/** Everything that blocks of a chain wrote. */
export interface Activity {
  /** Number of the newest block. */
  readonly latest: number;
  readonly blockHashes: readonly string[];
  readonly transactions: readonly string[];
  readonly classes: readonly string[];
  /** Contracts with the storage variables that changed. */
  readonly contracts: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Update {
  readonly block_hash: string;
  readonly state_diff: {
    readonly storage_diffs: readonly {
      readonly address: string;
      readonly storage_entries: readonly { readonly key: string }[];
    }[];
    readonly deployed_contracts: readonly {
      readonly address: string;
      readonly class_hash: string;
    }[];
    readonly declared_classes: readonly { readonly class_hash: string }[];
    readonly deprecated_declared_classes: readonly string[];
    readonly nonces: readonly { readonly contract_address: string }[];
  };
}

/** Reads what blocks up to a number wrote. */
export async function activityOf(
  chain: Pick<RunningChain, "url">,
  latest: number,
): Promise<Activity> {
  const contracts = new Map<string, Set<string>>();
  const keysOf = (address: string): Set<string> => {
    const keys = contracts.get(address) ?? new Set();
    contracts.set(address, keys);
    return keys;
  };
  const blockHashes: string[] = [];
  const transactions: string[] = [];
  const classes = new Set<string>();
  for (let number = 0; number <= latest; number++) {
    const id = [{ block_number: number }];
    const update = await resultOf<Update>(chain, "starknet_getStateUpdate", id);
    const block = await resultOf<{ readonly transactions: string[] }>(
      chain,
      "starknet_getBlockWithTxHashes",
      id,
    );
    blockHashes.push(update.block_hash);
    transactions.push(...block.transactions);
    const diff = update.state_diff;
    for (const { address, storage_entries } of diff.storage_diffs) {
      for (const { key } of storage_entries) keysOf(address).add(key);
    }
    for (const { address } of diff.deployed_contracts) keysOf(address);
    for (const { contract_address } of diff.nonces) keysOf(contract_address);
    for (const { class_hash } of diff.declared_classes) classes.add(class_hash);
    for (const each of diff.deprecated_declared_classes) classes.add(each);
  }
  return { latest, blockHashes, transactions, classes: [...classes], contracts };
}

/** Reads of a block's state: every variable, nonce, class hash and class. */
export function stateQuestions({ contracts, classes }: Activity, block: number): Question[] {
  const block_id = { block_number: block };
  const ofContracts = [...contracts].flatMap(([contract_address, keys]) => [
    ...[...keys, "0x7fff"].map((key) => ({
      method: "getStorageAt",
      params: { contract_address, key, block_id },
    })),
    { method: "getNonce", params: { contract_address, block_id } },
    { method: "getClassHashAt", params: { contract_address, block_id } },
  ]);
  const [first] = contracts.keys();
  return [
    ...ofContracts,
    ...classes.map((class_hash) => ({ method: "getClass", params: { class_hash, block_id } })),
    { method: "getClassAt", params: { contract_address: first, block_id } },
    { method: "getNonce", params: { contract_address: "0x5afe", block_id } },
    { method: "getClass", params: { class_hash: "0x5afe", block_id } },
  ];
}

/** Methods with only a block id. */
const OF_A_BLOCK = [
  "getBlockWithTxHashes",
  "getBlockWithTxs",
  "getBlockWithReceipts",
  "getBlockTransactionCount",
  "getStateUpdate",
  "traceBlockTransactions",
];

/** Reads of blocks, by number and by hash. */
export function blockQuestions({ blockHashes }: Activity, blocks: readonly number[]): Question[] {
  return blocks.flatMap((block_number) =>
    OF_A_BLOCK.flatMap((method) => [
      { method, params: { block_id: { block_number } } },
      { method, params: { block_id: { block_hash: blockHashes[block_number] } } },
    ]),
  );
}

/** Methods with only a transaction hash. */
const OF_A_TRANSACTION = [
  "getTransactionByHash",
  "getTransactionReceipt",
  "getTransactionStatus",
  "traceTransaction",
];

/** Reads of transactions by hash. */
export function transactionQuestions(hashes: readonly string[]): Question[] {
  return hashes.flatMap((transaction_hash) =>
    OF_A_TRANSACTION.map((method) => ({ method, params: { transaction_hash } })),
  );
}
