import { basename, dirname } from "node:path";
import { readFileSync } from "node:fs";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { parseJson } from "#base/codec/index.ts";
import {
  BUILT_IN_CONSTANTS,
  NEWEST_PROTOCOL_VERSION,
  protocolConstants,
  readPublicConstants,
} from "#protocol/versions/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  type BouncerCapacity,
  type BouncerWeights,
  compressStorage,
  directCall,
  errorKind,
  minimalGasOf,
  type PrevalidatedCall,
  type ProvingPrimitive,
} from "#engine/execution/index.ts";
import {
  type AccountTransaction,
  type HashedTransaction,
  type StateDiff,
  transactionHash,
} from "#protocol/chain/index.ts";
import {
  type Felt,
  feltFromHex,
  feltFromShortString,
  hexFromFelt,
} from "#base/primitives/index.ts";
import type { CachedState, StateReader } from "#engine/state/index.ts";
import { initialState } from "./initial-state.ts";
import { type Scenario, scenarioDecoder, type Step } from "./input.ts";
import {
  blockEndJson,
  callJson,
  classJson,
  gasJson,
  type Json,
  receiptJson,
  stateDiffJson,
  weightsJson,
} from "./output.ts";
import { prepareTransaction } from "./transactions.ts";

const MAINNET_STRK = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
const MAINNET_ETH = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;

/** Endless recursion fills memory until its gas is used up: the reference engine has no limit. */
export const VM_MEMORY_BYTES: number = 1536 * 2 ** 20;

/** What a run may be told beside of the scenario. */
export interface RunOptions {
  readonly vm?: CairoVm;
  /**
   * Changes to take for granted instead of executing a step, by its index: for comparing what
   * follows a step that this engine does not support.
   */
  readonly assumed?: ReadonlyMap<number, StateDiff>;
  /** Finds an earlier validation of a transaction, for its execution to use. */
  readonly prevalidated?: Prevalidation;
}

/** See {@link RunOptions}; `state` is the state before the transaction. */
export type Prevalidation = (
  hashed: HashedTransaction<AccountTransaction>,
  block: BlockContext,
  state: StateReader,
) => PrevalidatedCall | undefined;

/** Reads a scenario file and runs it. */
export function runScenarioFile(path: string, options: RunOptions = {}): Json {
  const scenario = scenarioDecoder.decode(parseJson(readFileSync(path, "utf8")), "");
  return runScenario(scenario, dirname(path), basename(path, ".json"), options);
}

/** Runs all steps of a scenario on one block and prints what the engine computed. */
export function runScenario(
  scenario: Scenario,
  base: string,
  defaultName: string,
  {
    vm = createCairoVm({ maxMemoryBytes: VM_MEMORY_BYTES }),
    assumed,
    prevalidated = () => undefined,
  }: RunOptions = {},
): Json {
  const version = scenario.block.protocol_version ?? NEWEST_PROTOCOL_VERSION;
  const block = blockContext(scenario, base, version);
  const { state: initial, classes } = initialState(scenario, base, version, block.feeTokens);
  const executor = new BlockExecutor(vm, initial, block);
  const old = scenario.block.old_block;
  if (old !== undefined) executor.begin({ number: Number(old.number), hash: old.hash });
  const withCalls = scenario.output?.calls ?? true;
  const steps = scenario.steps.map((step, index) => {
    const changes = assumed?.get(index);
    if (changes === undefined) {
      return runStep({ step, index, base, block, executor, vm, withCalls, prevalidated });
    }
    applyChanges(executor.state(), changes);
    return { index, outcome: "assumed" };
  });
  const stateDiff = stateDiffJson(executor.stateDiff());
  const end = executor.finish();
  const { flags, os } = block.constants;
  const compressed = flags.enableStatefulCompression
    ? compressStorage(end.stateDiff.storageDiffs, executor.reader(), os.contractAddresses.alias)
    : null;
  return {
    scenario: scenario.name ?? defaultName,
    engine: "appchain",
    protocol_version: version,
    classes: classes.map(classJson),
    steps,
    state_diff: stateDiff,
    block_end: blockEndJson(end, compressed),
  };
}

function applyChanges(state: CachedState, diff: StateDiff): void {
  for (const [address, cells] of diff.storageDiffs) {
    for (const [key, value] of cells) state.setStorage(address, key, value);
  }
  for (const [address, nonce] of diff.nonces) state.setNonce(address, nonce);
  for (const classes of [diff.deployedContracts, diff.replacedClasses]) {
    for (const [address, classHash] of classes) state.setClassHash(address, classHash);
  }
}

function blockContext(scenario: Scenario, base: string, version: string): BlockContext {
  const { block } = scenario;
  const prices = block.gas_prices;
  const constants =
    block.versioned_constants === undefined
      ? protocolConstants(version)
      : customConstants(`${base}/${block.versioned_constants}`, version);
  return {
    info: {
      number: Number(block.number),
      timestamp: Number(block.timestamp),
      sequencerAddress: block.sequencer_address ?? 1n,
      gasPrices: {
        l1Gas: prices.l1_gas,
        l1DataGas: prices.l1_data_gas,
        l2Gas: prices.l2_gas,
      },
      l1DaMode: (block.use_kzg_da ?? true) ? "BLOB" : "CALLDATA",
      protocolVersion: version,
    },
    chainId: chainIdOf(scenario.chain_id ?? "SN_MAIN"),
    feeTokens: {
      strk: block.fee_tokens?.strk ?? MAINNET_STRK,
      eth: block.fee_tokens?.eth ?? MAINNET_ETH,
    },
    constants,
    bouncer: capacityOf(block.bouncer),
  };
}

function customConstants(path: string, version: string): BlockContext["constants"] {
  const data = readPublicConstants(parseJson(readFileSync(path, "utf8")), path);
  return BUILT_IN_CONSTANTS.with(new Map([[version, data]])).at(version);
}

function chainIdOf(text: string): Felt {
  return text.startsWith("0x") ? (feltFromHex(text) ?? 0n) : feltFromShortString(text);
}

const CAPACITY_NAMES = {
  l1_gas: "l1Gas",
  message_segment_length: "messageSegmentLength",
  n_events: "eventCount",
  n_txs: "transactionCount",
  state_diff_size: "stateDiffSize",
  sierra_gas: "sierraGas",
  proving_gas: "provingGas",
  receipt_l2_gas: "receiptL2Gas",
} as const satisfies Record<string, keyof BouncerWeights>;

function capacityOf(bouncer: Scenario["block"]["bouncer"]): BouncerCapacity {
  const given = bouncer?.block_max_capacity;
  if (given === undefined) return { limits: {} };
  const limits: Partial<Record<keyof BouncerWeights, bigint>> = {};
  for (const [name, dimension] of Object.entries(CAPACITY_NAMES)) {
    const limit = given[name as keyof typeof CAPACITY_NAMES];
    if (limit !== undefined) limits[dimension] = limit;
  }
  const instanceLimits: Partial<Record<ProvingPrimitive, bigint>> = {};
  for (const [name, limit] of bouncer?.builtin_instance_limits ?? []) {
    instanceLimits[(name === "ecop" ? "ec_op" : name) as ProvingPrimitive] = limit;
  }
  return { limits, instanceLimits };
}

interface StepInput {
  readonly step: Step;
  readonly index: number;
  readonly base: string;
  readonly block: BlockContext;
  readonly executor: BlockExecutor;
  readonly vm: CairoVm;
  readonly withCalls: boolean;
  readonly prevalidated: Prevalidation;
}

function runStep(input: StepInput): Json {
  const { step, index } = input;
  const head = { index, ...(step.name === undefined ? {} : { name: step.name }) };
  if (step.tx !== undefined) return { ...head, ...transactionStep(input, step.tx) };
  if (step.l1_handler !== undefined) return { ...head, ...l1HandlerStep(input, step.l1_handler) };
  if (step.call !== undefined) return { ...head, ...callStep(input, step.call) };
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
  const known = prevalidated(hashed, block, executor.reader());
  const outcome = executor.execute(hashed, { ...flags, trace: true }, declared?.executable, known);
  const facts: Fields = {
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
  return { ...facts, ...outcomeJson(outcome, transaction.type === "DEPLOY_ACCOUNT", withCalls) };
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
  const outcome = executor.execute({ hash, transaction }, { trace: true });
  return {
    kind: "L1_HANDLER",
    transaction_hash: hexFromFelt(hash),
    ...outcomeJson(outcome, false, withCalls),
  };
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
    true,
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
