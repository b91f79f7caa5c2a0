import type { Abi } from "../../abi/abi.ts";
import { feltText } from "../../abi/felt.ts";
import { callsOf, feltsOf } from "../../decode/calls.ts";
import { eventClassesOf } from "../../decode/event-classes.ts";
import { eventsOfReceipt, type ShownEvent } from "../../parts/event-list.tsx";
import { callTreeOf, type CallTree, nodesOf } from "../../decode/call-tree.ts";
import { withRevertedCalls } from "../../decode/reverted-calls.ts";
import { type RevertReason, unfoldRevert } from "../../decode/revert-reason.ts";
import { type JsonObject, numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { PageError } from "../../rpc/page-error.ts";
import { api, rpc } from "../../state/chain.ts";
import { abisOf, classesAt } from "../../state/classes.ts";

/** Most calls of a multicall whose contracts' classes are loaded. */
const MAX_TARGETS = 500;

/** A transaction with everything that its view shows. */
export interface LoadedTransaction {
  readonly transaction: JsonObject;
  /** `null` before the transaction is in a block. */
  readonly receipt: JsonObject | null;
  readonly block: JsonObject | null;
  /** `null` before the trace is loaded, or if the node has none, with the reason in `traceProblem`. */
  readonly tree: CallTree | null;
  /** `null` before it is loaded. */
  readonly trace: JsonObject | null;
  readonly traceProblem: string;
  /** Why the execution was reverted; `null` if it was not. */
  readonly revert: RevertReason | null;
  /** ABIs by class hash, of all classes that ran, and of those of `classes`. */
  readonly abis: ReadonlyMap<string, Abi>;
  /** Classes of the emitters of events and of the contracts that are called first after the block, by address. */
  readonly classes: ReadonlyMap<string, string>;
  /** Events of the receipt. */
  readonly events: readonly ShownEvent[];
  /** Class that emitted each event; `undefined` where the trace does not say it. */
  readonly eventClasses: readonly (string | undefined)[];
}

/** Loads a transaction, its receipt and its block, without its trace, which the node may have to make first. */
export async function loadTransaction(hash: string): Promise<LoadedTransaction> {
  const params = { transaction_hash: hash };
  const [sent, receipt] = await rpc.batch([
    { method: "starknet_getTransactionByHash", params },
    { method: "starknet_getTransactionReceipt", params },
  ]);
  if (sent instanceof PageError) throw sent;
  const transaction = objectOf(sent);
  const received = receipt instanceof PageError || receipt === undefined ? null : objectOf(receipt);
  const reason = textOf(received?.["revert_reason"]);
  const revert = reason === "" ? null : unfoldRevert(reason);
  const events = received === null ? [] : eventsOfReceipt(received);
  const contracts = [...events.map(({ emitter }) => emitter), ...targetsOf(transaction)];
  const blockNumber = numberOf(received?.["block_number"]);
  const at = blockNumber === null ? "pre_confirmed" : { block_number: blockNumber };
  const [block, classes] = await Promise.all([
    blockNumber === null ? null : rpc.call("starknet_getBlockWithTxHashes", { block_id: at }),
    classesAt(contracts, at),
  ]);
  return {
    transaction,
    receipt: received,
    block: block === null ? null : objectOf(block),
    tree: null,
    trace: null,
    traceProblem: "",
    revert,
    abis: await abisOf([...classesThatRan(null, revert), ...classes.values()]),
    classes,
    events,
    eventClasses: [],
  };
}

/** Returns a transaction with its trace. */
export async function withTrace(hash: string, of: LoadedTransaction): Promise<LoadedTransaction> {
  const [trace] = await rpc.batch([
    { method: "starknet_traceTransaction", params: { transaction_hash: hash } },
  ]);
  if (trace instanceof PageError) return { ...of, trace: {}, traceProblem: trace.message };
  const traced = objectOf(trace);
  const tree = await wholeTree(hash, callTreeOf(traced));
  // A waiting transaction has no receipt with the reason.
  const revert = of.revert ?? (tree.revertReason === null ? null : unfoldRevert(tree.revertReason));
  const abis = await abisOf(classesThatRan(tree, revert));
  return {
    ...of,
    tree,
    trace: traced,
    revert,
    abis: new Map([...of.abis, ...abis]),
    eventClasses: eventClassesOf(tree, of.events),
  };
}

/** Whether a transaction that is loaded again is the same: in the same block, as final as before. */
export function isUnchanged(known: LoadedTransaction, receipt: JsonObject | null): boolean {
  const isSame = (name: string): boolean => known.receipt?.[name] === receipt?.[name];
  return isSame("block_hash") && isSame("block_number") && isSame("finality_status");
}

/** Returns the contracts that an invoke's multicall or an L1 handler calls; none for other transactions. */
export function targetsOf(transaction: JsonObject): readonly string[] {
  if (transaction["type"] === "L1_HANDLER") return [feltText(transaction["contract_address"])];
  if (transaction["type"] !== "INVOKE") return [];
  const calls = callsOf(feltsOf(transaction["calldata"])) ?? [];
  return calls.slice(0, MAX_TARGETS).map(({ to }) => feltText(to));
}

/** Returns the classes of all calls of a trace and of a revert reason. */
export function classesThatRan(
  tree: CallTree | null,
  revert: RevertReason | null,
): readonly string[] {
  const nodes = tree?.phases.flatMap(({ root }) => nodesOf(root)) ?? [];
  return [...nodes, ...(revert?.frames ?? [])]
    .map(({ classHash }) => classHash)
    .filter((hash) => hash !== "0x0");
}

/** Adds the calls of a reverted execution to its trace. Without them the view shows what the reason names. */
async function wholeTree(hash: string, tree: CallTree): Promise<CallTree> {
  if (tree.revertReason === null) return tree;
  try {
    return withRevertedCalls(tree, await api.get("trace", { transaction: hash }));
  } catch {
    return tree;
  }
}
