import { hash } from "starknet";
import { rawCall } from "../binary.ts";
import { STRK } from "../tokens.ts";
import type { Activity } from "./activity.ts";
import type { Answer, ComparedChains } from "./compared-chains.ts";

/** An origin that two programs fork at one block. */
export interface ForkedOrigin {
  readonly forkBlock: number;
  readonly activity: Activity;
  /** What the origin has above the fork block. */
  readonly later: { readonly blockHash: string; readonly transactions: readonly string[] };
}

/** An address, a class hash and a transaction hash that nothing has. */
const UNKNOWN = "0x5afe";

/** A method without its prefix, and its parameters. */
type Question = readonly [method: string, params: object];

const OF_A_BLOCK = [
  "getBlockWithTxHashes",
  "getBlockWithTxs",
  "getBlockWithReceipts",
  "getBlockTransactionCount",
  "getStateUpdate",
  "traceBlockTransactions",
];

const OF_A_TRANSACTION = [
  "getTransactionByHash",
  "getTransactionReceipt",
  "getTransactionStatus",
  "traceTransaction",
];

/** Compares everything that a fork shows of its origin. */
export async function compareReads(chains: ComparedChains, origin: ForkedOrigin): Promise<void> {
  const { forkBlock, activity, later } = origin;
  chains.topic = "chain";
  for (const method of ["chainId", "specVersion", "syncing", "blockNumber"]) {
    await chains.ask(`starknet_${method}`);
  }
  const blocks: readonly (readonly [topic: string, ids: readonly unknown[]])[] = [
    ["origin", [forkBlock, forkBlock - 2, 0].map((block_number) => ({ block_number }))],
    ["origin", [{ block_hash: activity.blockHashes[forkBlock - 1] }]],
    ["unknown block", [{ block_number: forkBlock + 100 }, { block_hash: UNKNOWN }]],
    ["later block", [{ block_hash: later.blockHash }]],
    ["l1_accepted", ["l1_accepted"]],
  ];
  for (const [topic, ids] of blocks) {
    chains.topic = topic;
    for (const id of ids) await compareBlock(chains, activity, id);
  }
  await compareTransactions(chains, "origin", activity.transactions.slice(-8));
  await compareTransactions(chains, "unknown", [UNKNOWN]);
  await compareTransactions(chains, "later transaction", later.transactions);
  chains.topic = "origin";
  const at = { block_id: { block_number: forkBlock } };
  const [class_hash = ""] = activity.classes.slice(-1);
  for (const each of [class_hash, UNKNOWN]) {
    await chains.ask("starknet_getCompiledCasm", { class_hash: each });
  }
  const missing = { ...balanceOf(UNKNOWN), entry_point_selector: "0x1" };
  for (const request of [missing, balanceOf(UNKNOWN, UNKNOWN)]) {
    await chains.ask("starknet_call", { request, ...at });
  }
  await chains.ask("starknet_getMessagesStatus", { transaction_hash: `0x${"ab".repeat(32)}` });
}

/** Compares a transaction as all methods show it. */
export async function compareTransactions(
  chains: ComparedChains,
  topic: string,
  hashes: readonly string[],
): Promise<void> {
  chains.topic = topic;
  for (const transaction_hash of hashes) {
    const ask = (method: string) => chains.ask(`starknet_${method}`, { transaction_hash });
    await Promise.all(OF_A_TRANSACTION.map(ask));
  }
}

async function compareBlock(
  chains: ComparedChains,
  { contracts, classes }: Activity,
  block_id: unknown,
): Promise<void> {
  const [contract = "", keys = new Set<string>()] =
    [...contracts].find(([address, found]) => address !== STRK && found.size > 0) ?? [];
  const ofContract = (contract_address: string): Question[] => [
    ...[...keys].slice(0, 3).map((key): Question => ["getStorageAt", { contract_address, key }]),
    ["getNonce", { contract_address }],
    ["getClassHashAt", { contract_address }],
    ["getClassAt", { contract_address }],
  ];
  const hashes = [...classes.slice(-2), UNKNOWN];
  const questions: readonly Question[] = [
    ...OF_A_BLOCK.map((method): Question => [method, {}]),
    ...[contract, STRK, UNKNOWN].flatMap(ofContract),
    ...hashes.map((class_hash): Question => ["getClass", { class_hash }]),
    ...[0, 99].map((index): Question => ["getTransactionByBlockIdAndIndex", { index }]),
    ["call", { request: balanceOf(contract) }],
    ["getStorageProof", { contract_addresses: [contract] }],
  ];
  await Promise.all(
    questions.map(([method, params]) => chains.ask(`starknet_${method}`, { ...params, block_id })),
  );
}

/** A call of `balance_of`, by default of STRK. */
function balanceOf(account: string, contract_address = STRK) {
  const entry_point_selector = hash.getSelectorFromName("balance_of");
  return { contract_address, entry_point_selector, calldata: [account] };
}

/** Compares all events of a filter, in pages of a size. */
export async function compareEvents(
  chains: ComparedChains,
  filter: object,
  pageSize: number,
): Promise<void> {
  const [ours, theirs] = await Promise.all(
    chains.urls.map((url) => eventsOf(url, { ...filter, chunk_size: pageSize })),
  );
  if (ours === undefined || theirs === undefined) return;
  chains.compare("starknet_getEvents", ours, theirs);
}

async function eventsOf(url: string, filter: object): Promise<Answer> {
  const found: unknown[] = [];
  let token: string | undefined;
  for (;;) {
    const page = token === undefined ? filter : { ...filter, continuation_token: token };
    const answer = await rawCall(url, "starknet_getEvents", { filter: page });
    if (answer.error !== undefined) return answer;
    const { events, continuation_token } = answer.result as {
      readonly events: readonly unknown[];
      readonly continuation_token?: string;
    };
    found.push(...events);
    if (continuation_token === undefined) return { result: found } as Answer;
    token = continuation_token;
  }
}
