import type { Abi } from "../../abi/abi.ts";
import { callTreeOf, type CallTree, nodesOf } from "../../decode/call-tree.ts";
import { type RevertReason, unfoldRevert } from "../../decode/revert-reason.ts";
import { type JsonObject, listOf, numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { PageError } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { abisOf, classesAt } from "../../state/classes.ts";

/** A transaction with everything that its view shows. */
export interface LoadedTransaction {
  readonly transaction: JsonObject;
  /** `null` before the transaction is in a block. */
  readonly receipt: JsonObject | null;
  readonly block: JsonObject | null;
  /** `null` if the node has no trace, with the reason in `traceProblem`. */
  readonly tree: CallTree | null;
  readonly trace: JsonObject;
  readonly traceProblem: string;
  /** Why the execution was reverted; `null` if it was not. */
  readonly revert: RevertReason | null;
  /** ABIs by class hash, of all classes that ran, and of the emitters of events. */
  readonly abis: ReadonlyMap<string, Abi>;
  /** Class of each emitter of an event. */
  readonly classes: ReadonlyMap<string, string>;
}

/** Loads a transaction, its receipt, its block and its trace. */
export async function loadTransaction(hash: string): Promise<LoadedTransaction> {
  const params = { transaction_hash: hash };
  const [transaction, receipt, trace] = await rpc.batch([
    { method: "starknet_getTransactionByHash", params },
    { method: "starknet_getTransactionReceipt", params },
    { method: "starknet_traceTransaction", params },
  ]);
  if (transaction instanceof PageError) throw transaction;
  const received = receipt instanceof PageError || receipt === undefined ? null : objectOf(receipt);
  const traced = trace instanceof PageError || trace === undefined ? {} : objectOf(trace);
  const tree = trace instanceof PageError ? null : callTreeOf(traced);
  const blockNumber = numberOf(received?.["block_number"]);
  const nodes = tree?.phases.flatMap(({ root }) => nodesOf(root)) ?? [];
  const emitters = listOf(received?.["events"]).map((event) =>
    textOf(objectOf(event)["from_address"]),
  );
  const at = blockNumber === null ? "pre_confirmed" : { block_number: blockNumber };
  const [block, classes] = await Promise.all([
    blockNumber === null ? null : rpc.call("starknet_getBlockWithTxHashes", { block_id: at }),
    classesAt(emitters, at),
  ]);
  const reason = tree?.revertReason || textOf(received?.["revert_reason"]);
  const revert = reason === "" ? null : unfoldRevert(reason);
  const abis = await abisOf([
    ...[...nodes, ...(revert?.frames ?? [])].map(({ classHash }) => classHash),
    ...classes.values(),
  ]);
  return {
    transaction: objectOf(transaction),
    receipt: received,
    block: block === null ? null : objectOf(block),
    tree,
    trace: traced,
    traceProblem: trace instanceof PageError ? trace.message : "",
    revert,
    abis,
    classes,
  };
}
