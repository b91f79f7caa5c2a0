import type { CairoVm } from "#engine/cairo/types.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  directCall,
  type PrevalidatedCall,
  TraceMemory,
} from "#engine/execution/index.ts";
import {
  type AccountTransaction,
  type HashedTransaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { errorKind } from "./error-kind.ts";
import { type Step } from "./input.ts";
import { minimalGasOf } from "./minimal-gas.ts";
import {
  callJson,
  classJson,
  gasJson,
  type Json,
  receiptJson,
  stateDiffJson,
  weightsJson,
} from "./output.ts";
import { prepareTransaction } from "./transactions.ts";

/** Source of earlier validations. */
export interface Prevalidation {
  /** @param state - the state before the transaction */
  find(
    hashed: HashedTransaction<AccountTransaction>,
    block: BlockContext,
    state: StateReader,
  ): PrevalidatedCall | undefined;
  /** Called when an earlier validation was used. */
  reused(): void;
}

/** A step with its environment. */
export interface StepInput {
  readonly step: Step;
  readonly index: number;
  readonly base: string;
  readonly block: BlockContext;
  readonly executor: BlockExecutor;
  readonly vm: CairoVm;
  readonly withCalls: boolean;
  readonly prevalidated: Prevalidation;
}

/** Runs a step. @returns the engine's results */
export function runStep(input: StepInput): Json {
  const { step, index } = input;
  const head = { index, ...(step.name === undefined ? {} : { name: step.name }) };
  if (step.tx !== undefined) return { ...head, ...transactionStep(input, step.tx) };
  if (step.l1_handler !== undefined) return { ...head, ...l1HandlerStep(input, step.l1_handler) };
  if (step.call !== undefined) return { ...head, ...undoneIfFailed(input, step.call) };
  throw new DecodeError(`steps[${index}]`, "one of tx, l1_handler and call");
}

type Fields = Readonly<Record<string, Json>>;

function transactionStep(
  { step, base, block, executor, withCalls, prevalidated }: StepInput,
  tx: NonNullable<Step["tx"]>,
): Fields {
  const prepared = prepareTransaction(tx, step.flags, base, block.chainId, executor.reader());
  const { hashed, flags, declared, nonce } = prepared;
  const { transaction } = hashed;
  const known = prevalidated.find(hashed, block, executor.reader());
  const outcome = executor.execute(
    hashed,
    { ...flags, trace: new TraceMemory(Number.POSITIVE_INFINITY) },
    declared?.executable,
    known,
  );
  const validate = outcome.kind === "included" ? outcome.info.validate : null;
  if (validate !== null && validate === known?.call) prevalidated.reused();
  const described: Fields = {
    kind: transaction.type,
    transaction_hash: hexFromFelt(hashed.hash),
    nonce: hexFromFelt(nonce),
    signature: transaction.signature.map(hexFromFelt),
    ...(transaction.type === "DEPLOY_ACCOUNT"
      ? { contract_address: hexFromFelt(transaction.contractAddress) }
      : {}),
    minimal_gas: gasJson(minimalGasOf(block, hashed, declared?.executable)),
    ...(declared === undefined ? {} : { class: classJson(declared) }),
  };
  return {
    ...described,
    ...outcomeJson(outcome, transaction.type === "DEPLOY_ACCOUNT", withCalls),
  };
}

function outcomeJson(
  outcome: ReturnType<BlockExecutor["execute"]>,
  isDeployAccount: boolean,
  withCalls: boolean,
): Fields {
  if (outcome.kind === "rejected") {
    const { kind, message } = outcome.error;
    return { outcome: "rejected", error: { kind, message } };
  }
  if (outcome.kind !== "included") return { outcome: outcome.kind };
  const { info } = outcome;
  return {
    outcome: info.revertReason === null ? "succeeded" : "reverted",
    ...(info.revertReason === null ? {} : { revert_reason: info.revertReason }),
    receipt: receiptJson(info, isDeployAccount),
    ...(withCalls
      ? {
          calls: {
            validate: callJson(info.validate),
            execute: callJson(info.execute),
            fee_transfer: callJson(info.feeTransfer),
          },
        }
      : {}),
    bouncer_weights: weightsJson(info.weights),
    state_diff: stateDiffJson(info.stateDiff),
  };
}

function l1HandlerStep(
  { block, executor, withCalls }: StepInput,
  handler: NonNullable<Step["l1_handler"]>,
): Fields {
  const transaction = {
    type: "L1_HANDLER",
    version: 0,
    nonce: handler.nonce ?? 0n,
    contractAddress: handler.contract_address,
    entryPointSelector: handler.entry_point_selector,
    calldata: handler.calldata,
    paidFeeOnL1: handler.paid_fee_on_l1,
  } as const;
  const hash = transactionHash(transaction, block.chainId);
  const outcome = executor.execute(
    { hash, transaction },
    { trace: new TraceMemory(Number.POSITIVE_INFINITY) },
  );
  return {
    kind: "L1_HANDLER",
    transaction_hash: hexFromFelt(hash),
    ...outcomeJson(outcome, false, withCalls),
  };
}

/** Callers of direct calls undo what a failed call leaves. */
function undoneIfFailed(input: StepInput, call: NonNullable<Step["call"]>): Fields {
  const state = input.executor.state();
  const checkpoint = state.checkpoint();
  try {
    return callStep(input, call);
  } catch (error) {
    state.revertTo(checkpoint);
    throw error;
  }
}

function callStep({ block, executor, vm }: StepInput, call: NonNullable<Step["call"]>): Fields {
  const mode = call.mode === "validate" ? "validate" : "execute";
  const { os } = block.constants;
  const limit = mode === "validate" ? os.validateMaxSierraGas : os.executeMaxSierraGas;
  const state = executor.state();
  const checkpoint = state.checkpoint();
  const type = call.entry_point_type;
  const result = directCall(
    vm,
    state,
    block,
    {
      classHash: undefined,
      codeAddress: null,
      entryPointType: type === "L1_HANDLER" || type === "CONSTRUCTOR" ? type : "EXTERNAL",
      selector: call.entry_point_selector,
      calldata: call.calldata ?? [],
      contractAddress: call.contract_address,
      callerAddress: call.caller ?? 0n,
      callType: "CALL",
      initialGas: Number(call.initial_gas ?? limit),
    },
    mode,
    new TraceMemory(Number.POSITIVE_INFINITY),
  );
  if (result.kind !== "done") {
    state.revertTo(checkpoint);
    if (result.kind === "cancelled") return { kind: "CALL", outcome: "cancelled" };
    const error = { kind: errorKind(result.error), message: result.failure.text };
    return { kind: "CALL", outcome: "error", error };
  }
  const fields: Fields = {
    kind: "CALL",
    outcome: result.record.failed ? "reverted" : "succeeded",
    calls: { validate: null, execute: callJson(result.record), fee_transfer: null },
    remaining_gas: result.remainingGas,
    state_diff: stateDiffJson(state.diffSince(checkpoint)),
  };
  if (call.commit !== true) state.revertTo(checkpoint);
  return fields;
}
