import { array, strictObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Simulation } from "#engine/execution/index.ts";
import { OverlayState, type StateReader } from "#engine/state/index.ts";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import { stateOf } from "../block-id.ts";
import type { QueryMethod } from "../bound-method.ts";
import { InvalidParamsError } from "../decode-params.ts";
import { fail as failWith } from "../errors.ts";
import { elidable, method, required } from "../method.ts";
import { blockOrFail, infoOrFail } from "../methods/shared.ts";
import { transactionsToRun } from "../methods/transactions-to-run.ts";
import { SPEC_0_10_2 } from "../spec/v0_10/index.ts";
import { WHOLE_TRACE_ENCODERS } from "../spec/v0_10/trace.ts";
import type { SpecVersion } from "../spec/version.ts";
import { stopped } from "../stopped.ts";
import { tooLarge } from "./tracing.ts";

/** Most overrides of one simulation, of each kind. */
const MAX_OVERRIDES = 100;

/** Differences from the state at the simulated block. */
interface Overrides {
  readonly storage?: readonly {
    readonly contract_address: Felt;
    readonly key: Felt;
    readonly value: Felt;
  }[];
  readonly classes?: readonly { readonly contract_address: Felt; readonly class_hash: Felt }[];
}

/** A simulation, or why the transaction could not run. */
type Simulated = Simulation | { readonly failure: string };

/**
 * Simulates a transaction on a state with other storage values and classes, and returns the calls of a reverted
 * execution, too. For interfaces other than JSON-RPC: its parameters are `block_id`, `transactions` with one
 * transaction, `simulation_flags` as in `starknet_simulateTransactions`, and `overrides`.
 */
export const simulateOverridden: QueryMethod<never>["invoke"] = (context, params) =>
  SIMULATION.bind(SPEC_0_10_2).invoke(context, params);

const SIMULATION = method({
  name: "simulateOverridden",
  family: "trace",
  runsOn: "query",
  summary: "Trace and fee of a transaction on a state with other values.",
  params: (spec: SpecVersion) => ({
    block_id: required(spec.blockId),
    transactions: required(spec.anyTransactions),
    simulation_flags: elidable(spec.simulationFlags, []),
    overrides: elidable(overridesOf(spec), {}),
  }),
  result: () => (answer: Simulated) =>
    "failure" in answer
      ? { trace: null, reverted: null, failure: answer.failure }
      : WHOLE_TRACE_ENCODERS.wholeSimulation(answer),
  errors: ["BLOCK_NOT_FOUND", "TRANSACTION_EXECUTION_ERROR"],
  handler(
    context,
    { block_id, transactions, simulation_flags: flags, overrides },
    fail,
  ): Simulated {
    if (transactions.length !== 1) {
      const got = `array of ${transactions.length}`;
      throw new InvalidParamsError("transactions", "array of one transaction", got);
    }
    const block = blockOrFail(context, block_id, fail);
    const info = infoOrFail(context, block, fail);
    const toRun = transactionsToRun(context, "transactions", transactions, fail);
    const state = overridden(stateOf(context, block), overrides);
    const outcome = context.tracing.simulate(state, info, toRun, {
      skipValidate: flags.includes("SKIP_VALIDATE"),
      skipFeeCharge: flags.includes("SKIP_FEE_CHARGE"),
    });
    switch (outcome.kind) {
      case "ok":
        return outcome.simulations[0] ?? stopped();
      case "failed":
        return { failure: outcome.reason };
      case "too_large":
        return tooLarge("the transaction");
      case "cancelled":
        return stopped();
    }
  },
});

function overridesOf({ felt, storageKey }: SpecVersion) {
  return strictObject(
    {},
    {
      storage: array(strictObject({ contract_address: felt, key: storageKey, value: felt })),
      classes: array(strictObject({ contract_address: felt, class_hash: felt })),
    },
  );
}

/**
 * Returns a state with other values. Of two overrides of one place the last one counts.
 *
 * @throws {InvalidParamsError} when there are too many
 * @throws {RpcFault} CLASS_HASH_NOT_FOUND for a class that is not declared
 */
function overridden(base: StateReader, { storage = [], classes = [] }: Overrides): StateReader {
  for (const [name, list] of Object.entries({ storage, classes })) {
    if (list.length <= MAX_OVERRIDES) continue;
    const expected = `array of at most ${MAX_OVERRIDES} overrides`;
    throw new InvalidParamsError(`overrides.${name}`, expected, `array of ${list.length}`);
  }
  if (storage.length === 0 && classes.length === 0) return base;
  const storageDiffs = new Map<Felt, Map<Felt, Felt>>();
  for (const { contract_address: address, key, value } of storage) {
    const cells = storageDiffs.get(address) ?? new Map<Felt, Felt>();
    storageDiffs.set(address, cells.set(key, value));
  }
  const replacedClasses = new Map<Felt, Felt>();
  for (const { contract_address: address, class_hash: classHash } of classes) {
    if (base.executableClass(classHash) === undefined) {
      failWith("CLASS_HASH_NOT_FOUND", `class ${hexFromFelt(classHash)} is not declared`);
    }
    replacedClasses.set(address, classHash);
  }
  return new OverlayState(base, { ...EMPTY_STATE_DIFF, storageDiffs, replacedClasses });
}
