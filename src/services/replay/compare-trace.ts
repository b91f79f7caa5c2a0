import { type CallInfo, callTypeOf, type TransactionTrace } from "#engine/execution/index.ts";
import type { RemoteCall, RemoteMain, RemoteTrace } from "#io/client/index.ts";
import { NOTHING_OMITTED, compareDiffs } from "./compare-diffs.ts";
import { FeltComparison } from "./compare-felts.ts";
import { differ, requireSame, type TransactionPlace } from "./difference.ts";
import { GAS_MEMBERS } from "./gas-members.ts";

/**
 * Compares the trace of a re-executed transaction with the node's: calls with their results, events, messages
 * and gas, state changes, and resources.
 *
 * @throws {DifferenceFound} at the first field that differs
 */
export function compareTrace(ours: TransactionTrace, theirs: RemoteTrace, index: number): void {
  const { info, transaction } = ours;
  const { hash } = transaction;
  const { type } = transaction.transaction;
  const comparison = new TraceComparison(ours, { index, hash });
  comparison.same("trace.type", type, theirs.type);
  comparison.sameCall("trace.validate_invocation", info.validate, theirs.validate);
  comparison.sameMain(`trace.${MAIN_CALL[type]}`, theirs.main);
  comparison.sameCall("trace.fee_transfer_invocation", info.feeTransfer, theirs.feeTransfer);
  for (const [name, member] of GAS_MEMBERS) {
    comparison.same(
      `trace.execution_resources.${name}`,
      String(info.gas[member]),
      String(theirs.gas[member]),
    );
  }
  if (theirs.stateDiff !== undefined) {
    const of = { prefix: "trace.", transaction: { index, hash } };
    compareDiffs(info.stateDiff, theirs.stateDiff, NOTHING_OMITTED, of);
  }
}

const MAIN_CALL = {
  INVOKE: "execute_invocation",
  DECLARE: "execute_invocation",
  DEPLOY: "constructor_invocation",
  DEPLOY_ACCOUNT: "constructor_invocation",
  L1_HANDLER: "function_invocation",
} as const;

/** Compares the parts of one trace. */
class TraceComparison {
  readonly #ours: TransactionTrace;
  readonly #place: TransactionPlace;
  readonly #felts = new FeltComparison();

  constructor(ours: TransactionTrace, place: TransactionPlace) {
    this.#ours = ours;
    this.#place = place;
  }

  same<T extends string | bigint | number>(field: string, ours: T, theirs: T): void {
    requireSame(field, ours, theirs, this.#place);
  }

  sameMain(field: string, theirs: RemoteMain | undefined): void {
    const { execute, revertReason } = this.#ours.info;
    if (revertReason !== null && theirs?.kind === "reverted") {
      return this.same(`${field}.revert_reason`, revertReason, theirs.reason);
    }
    // Reverted deployments and declarations lack this member.
    const remote = theirs?.kind === "call" ? theirs.call : undefined;
    const kind = theirs?.kind === "reverted" ? "reverted" : undefined;
    if (kind !== undefined) differ(field, execute === null ? "none" : "a call", kind, this.#place);
    this.sameCall(field, execute, remote);
  }

  sameCall(field: string, ours: CallInfo | null, theirs: RemoteCall | undefined): void {
    if (ours === null && theirs === undefined) return;
    if (ours === null || theirs === undefined) {
      const shown = (call: unknown): string => (call ? "a call" : "none");
      return differ(field, shown(ours), shown(theirs), this.#place);
    }
    this.#sameScalars(field, ours, theirs);
    this.#felts.requireSame(`${field}.calldata`, ours.calldata, theirs.calldata, this.#place);
    this.#felts.requireSame(`${field}.result`, ours.result, theirs.result, this.#place);
    this.#sameEvents(field, ours, theirs);
    this.#sameMessages(field, ours, theirs);
    this.same(`${field}.calls.length`, ours.innerCalls.length, theirs.calls.length);
    for (const [i, inner] of ours.innerCalls.entries()) {
      this.sameCall(`${field}.calls[${i}]`, inner, theirs.calls[i]);
    }
  }

  #sameScalars(field: string, ours: CallInfo, theirs: RemoteCall): void {
    const { l1Gas, l2Gas } = this.#ours.callGas.get(ours) ?? NO_GAS;
    this.same(`${field}.contract_address`, ours.contractAddress, theirs.contractAddress);
    this.same(`${field}.entry_point_selector`, ours.entryPointSelector, theirs.entryPointSelector);
    this.same(`${field}.caller_address`, ours.callerAddress, theirs.callerAddress);
    this.same(`${field}.class_hash`, ours.classHash, theirs.classHash);
    this.same(`${field}.entry_point_type`, ours.entryPointType, theirs.entryPointType);
    this.same(`${field}.call_type`, callTypeOf(ours), theirs.callType);
    this.same(`${field}.is_reverted`, String(ours.failed), String(theirs.isReverted));
    this.same(`${field}.execution_resources.l1_gas`, String(l1Gas), String(theirs.l1Gas));
    this.same(`${field}.execution_resources.l2_gas`, String(l2Gas), String(theirs.l2Gas));
  }

  #sameEvents(field: string, { events }: CallInfo, theirs: RemoteCall): void {
    this.same(`${field}.events.length`, events.length, theirs.events.length);
    for (const [i, event] of events.entries()) {
      const at = `${field}.events[${i}]`;
      const other = theirs.events[i] ?? event;
      this.same(`${at}.order`, event.order, other.order);
      this.#felts.requireSame(`${at}.keys`, event.keys, other.keys, this.#place);
      this.#felts.requireSame(`${at}.data`, event.data, other.data, this.#place);
    }
  }

  #sameMessages(field: string, { messages, contractAddress }: CallInfo, theirs: RemoteCall): void {
    this.same(`${field}.messages.length`, messages.length, theirs.messages.length);
    for (const [i, message] of messages.entries()) {
      const at = `${field}.messages[${i}]`;
      const other = theirs.messages[i] ?? { ...message, fromAddress: contractAddress };
      this.same(`${at}.order`, message.order, other.order);
      this.same(`${at}.from_address`, contractAddress, other.fromAddress);
      this.same(`${at}.to_address`, message.toAddress, other.toAddress);
      this.#felts.requireSame(`${at}.payload`, message.payload, other.payload, this.#place);
    }
  }
}

const NO_GAS = { l1Gas: 0n, l2Gas: 0n } as const;
