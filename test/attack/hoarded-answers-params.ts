import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { invoke } from "#test/helpers/hostile-clients.ts";
import { HOSTILE_ACCOUNTS } from "#test/helpers/hostile-config.ts";
import { largeContract } from "#test/helpers/large-classes.ts";

/** Objects of a chain under attack. */
export interface HoardWorld {
  /** An included transaction with much calldata. */
  readonly transactionHash: string;
  /** Hash of a large class. */
  readonly classHash: string;
  /** Contract that returns its arguments. */
  readonly contract: string;
  readonly calldata: readonly string[];
}

/** Positional parameters of each method that make its response as large as possible. */
const PARAMS: Readonly<Record<string, (world: HoardWorld) => readonly unknown[]>> = {
  specVersion: () => [],
  getBlockWithTxHashes: () => ["latest"],
  getBlockWithReceipts: () => ["latest"],
  getBlockWithTxs: () => ["pre_confirmed"],
  getStateUpdate: () => [{ block_number: 0 }],
  getStorageAt: ({ contract }) => [contract, "0x1", "latest"],
  getStorageProof: ({ classHash, contract }) => [
    "latest",
    [classHash],
    [contract],
    [{ contract_address: contract, storage_keys: storageKeys(90) }],
  ],
  getTransactionStatus: ({ transactionHash }) => [transactionHash],
  getMessagesStatus: () => ["0x1"],
  getTransactionByHash: ({ transactionHash }) => [transactionHash],
  getTransactionByBlockIdAndIndex: () => ["latest", 0],
  getTransactionReceipt: ({ transactionHash }) => [transactionHash],
  getClass: ({ classHash }) => ["latest", classHash],
  getClassHashAt: ({ contract }) => ["latest", contract],
  getClassAt: () => ["pre_confirmed", largeContract(1)],
  getCompiledCasm: ({ classHash }) => [classHash],
  getBlockTransactionCount: () => ["latest"],
  call: ({ contract, calldata }) => [
    {
      contract_address: contract,
      entry_point_selector: hexFromFelt(selectorFromName("run")),
      calldata: [...record("return_tail").map(hexFromFelt), ...calldata],
    },
    "latest",
  ],
  estimateFee: ({ calldata }) => [[working(calldata)], ["SKIP_VALIDATE"], "latest"],
  estimateMessageFee: ({ contract, calldata }) => [
    {
      from_address: `0x${"1".padStart(40, "0")}`,
      to_address: contract,
      entry_point_selector: hexFromFelt(selectorFromName("handle")),
      payload: calldata,
    },
    "latest",
  ],
  blockNumber: () => [],
  blockHashAndNumber: () => [],
  chainId: () => [],
  syncing: () => [],
  getEvents: () => [{ from_block: { block_number: 0 }, to_block: "latest", chunk_size: 1_000 }],
  getNonce: ({ contract }) => ["latest", contract],
  traceTransaction: ({ transactionHash }) => [transactionHash],
  simulateTransactions: ({ calldata }) => ["latest", [working(calldata)], []],
  traceBlockTransactions: () => ["latest"],
  addInvokeTransaction: ({ calldata }) => [working(calldata)],
  addDeclareTransaction: () => [{ type: "DECLARE", version: "0x3" }],
  addDeployAccountTransaction: () => [{ type: "DEPLOY_ACCOUNT", version: "0x3" }],
  pathfinder_getProof: ({ contract }) => ["latest", contract, storageKeys(90)],
  appchain_getContractAddresses: () => [],
  node_getInfo: () => [],
  txpool_status: () => [],
};

/**
 * Parameters of a served method.
 *
 * @throws {RangeError} for a method without an entry: add one here
 */
export function methodParams(name: string, world: HoardWorld): readonly unknown[] {
  const params = PARAMS[name];
  if (params === undefined) throw new RangeError(`no parameters for ${name}`);
  return params(world);
}

function storageKeys(count: number): string[] {
  return Array.from({ length: count }, (_, i) => hexFromFelt(BigInt(i + 1)));
}

/** A transaction that ignores its calldata. */
function working(calldata: readonly string[]): unknown {
  const nothing = record("steps", { count: 0 });
  return invoke(HOSTILE_ACCOUNTS.estimate, 0n, [
    ...nothing,
    ...nothing,
    ...calldata.map((felt) => BigInt(felt)),
  ]);
}
