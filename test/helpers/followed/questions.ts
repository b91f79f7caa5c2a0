import { resultOf, type RunningNode } from "../binary.ts";
import { STRK } from "../tokens.ts";

/** Paths of all versions of the specification, newest first. */
export const VERSION_PATHS: readonly string[] = [
  "/rpc/v0_10_2",
  "/rpc/v0_9_0",
  "/rpc/v0_8_1",
  "/rpc/v0_7_1",
];

/** JSON-RPC method with its parameters, sent to two nodes for comparison. */
export interface Question {
  readonly method: string;
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>;
}

/** Maximum number of transactions, contracts, keys and classes of a block in requests. */
const MOST = 3;

interface Update {
  readonly state_diff: {
    readonly storage_diffs: readonly {
      readonly address: string;
      readonly storage_entries: readonly { readonly key: string }[];
    }[];
    readonly deployed_contracts: readonly { readonly address: string }[];
    readonly nonces: readonly { readonly contract_address: string }[];
    readonly declared_classes: readonly { readonly class_hash: string }[];
    readonly deprecated_declared_classes: readonly string[];
  };
}

/**
 * All reads of a client at a block: every method of the specification that takes a block, for the
 * objects that the block has changed, and for its transactions.
 *
 * @param node - provides the contents of the block
 * @param sender - an account that exists at all blocks, used for simulated transactions
 */
export async function questionsAt(
  node: Pick<RunningNode, "url">,
  blockNumber: number,
  sender: string,
): Promise<Question[]> {
  const id = { block_number: blockNumber };
  const nonce = await resultOf<string>(node, "starknet_getNonce", [id, sender]);
  const { block_hash, transactions } = await resultOf<{
    block_hash: string;
    transactions: readonly string[];
  }>(node, "starknet_getBlockWithTxHashes", [id]);
  const update = await resultOf<Update>(node, "starknet_getStateUpdate", [id]);
  return [
    ...wholeBlock(id, block_hash, transactions.length),
    ...transactions.slice(0, MOST).flatMap(transactionQuestions),
    ...stateQuestions(id, update),
    ...executionQuestions(id),
    ...simulationQuestions(id, transferOf(sender, nonce)),
    ...["latest", "l1_accepted"].map((tag) => ask("getBlockWithTxHashes", [tag])),
  ];
}

/** Requests about the whole chain, without a block id. */
export const CHAIN_QUESTIONS: readonly Question[] = [
  ask("specVersion", []),
  ask("chainId", []),
  ask("blockNumber", []),
  ask("blockHashAndNumber", []),
];

function ask(method: string, params: Question["params"]): Question {
  return { method: `starknet_${method}`, params };
}

function wholeBlock(id: object, hash: string, count: number): Question[] {
  return [
    ask("getBlockWithTxHashes", [id]),
    ask("getBlockWithTxs", [{ block_hash: hash }]),
    ask("getBlockWithReceipts", [id]),
    ask("getStateUpdate", [{ block_hash: hash }]),
    ask("getBlockTransactionCount", [id]),
    ask("traceBlockTransactions", [id]),
    ask("getTransactionByBlockIdAndIndex", [id, 0]),
    ask("getTransactionByBlockIdAndIndex", [id, count]),
    ask("getEvents", { filter: { from_block: id, to_block: id, chunk_size: 100 } }),
  ];
}

function transactionQuestions(hash: string): Question[] {
  return [
    "getTransactionByHash",
    "getTransactionReceipt",
    "getTransactionStatus",
    "traceTransaction",
  ].map((method) => ask(method, [hash]));
}

function stateQuestions(id: object, { state_diff: diff }: Update): Question[] {
  const storage = diff.storage_diffs.slice(0, MOST);
  const contracts = [
    ...storage.map(({ address }) => address),
    ...diff.deployed_contracts.map(({ address }) => address),
    ...diff.nonces.map(({ contract_address }) => contract_address),
  ].slice(0, 2 * MOST);
  const classes = [
    ...diff.declared_classes.map(({ class_hash }) => class_hash),
    ...diff.deprecated_declared_classes,
  ].slice(0, MOST);
  const keys = storage.map(({ address: contract_address, storage_entries }) => ({
    contract_address,
    storage_keys: storage_entries.slice(0, MOST).map(({ key }) => key),
  }));
  return [
    ...keys.flatMap(({ contract_address, storage_keys }) =>
      storage_keys.map((key) => ask("getStorageAt", [contract_address, key, id])),
    ),
    ...contracts.flatMap((address) => [
      ask("getClassHashAt", [id, address]),
      ask("getClassAt", [id, address]),
      ask("getNonce", [id, address]),
    ]),
    ...classes.flatMap((hash) => [ask("getClass", [id, hash]), ask("getCompiledCasm", [hash])]),
    ask("getStorageProof", {
      block_id: id,
      class_hashes: classes,
      contract_addresses: contracts,
      contracts_storage_keys: keys,
    }),
  ];
}

/** An unsigned transfer. */
function transferOf(sender_address: string, nonce: string): object {
  const bound = { max_amount: "0x5f5e100", max_price_per_unit: "0x174876e800" };
  return {
    type: "INVOKE",
    version: "0x3",
    sender_address,
    // One call, of `transfer`: to 0x1001, 1.
    calldata: ["0x1", STRK, TRANSFER, "0x3", "0x1001", "0x1", "0x0"],
    signature: [],
    nonce,
    resource_bounds: { l1_gas: bound, l2_gas: bound, l1_data_gas: bound },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
}

/** Selector of `transfer`. */
const TRANSFER = "0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e";

function simulationQuestions(id: object, transfer: object): Question[] {
  return [
    ask("estimateFee", [[transfer], ["SKIP_VALIDATE"], id]),
    ask("simulateTransactions", [id, [transfer], ["SKIP_VALIDATE", "SKIP_FEE_CHARGE"]]),
  ];
}

/** Selector of `balanceOf`; it is no L1 handler: failures must match, too. */
const BALANCE_OF = "0x2e4263afad30923c891518314c3c95dbe830a16874e8abc5777a9a20b54c76e";

function executionQuestions(id: object): Question[] {
  const call = {
    contract_address: STRK,
    entry_point_selector: BALANCE_OF,
    calldata: ["0x1001"],
  };
  const message = {
    from_address: "0x8359e4b0152ed5a731162d3c7b0d8d56edb165a0",
    to_address: STRK,
    entry_point_selector: BALANCE_OF,
    payload: ["0x1"],
  };
  return [ask("call", [call, id]), ask("estimateMessageFee", [message, id])];
}
