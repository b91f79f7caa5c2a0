import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseJson } from "#base/codec/index.ts";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { type HashedTransaction, type L1Handler, transactionHash } from "#protocol/chain/index.ts";
import { CachedState } from "#engine/state/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { type BlockContext, BlockExecutor } from "#engine/execution/index.ts";
import type { EstimatedTransaction, TracedBlock } from "#api/rpc/traces/access.ts";
import { blockContext } from "./scenario/block.ts";
import { loadClass } from "./scenario/classes.ts";
import { InitialState, initialState } from "./scenario/initial-state.ts";
import { scenarioDecoder, type StepTransaction } from "./scenario/input.ts";
import { prepareTransaction } from "./scenario/transactions.ts";
import { scenarioPath } from "./oracle.ts";
import { fixturePath } from "./shared.ts";

/** Execution by another node for its recorded responses. */
export interface RecordedWorld {
  readonly block: BlockContext;
  readonly state: InitialState;
  readonly transactions: readonly EstimatedTransaction[];
}

/** Differences from a scenario. */
export interface WorldChanges {
  readonly version?: string;
  readonly chainId?: string;
  readonly blockNumber?: number;
  /** Replace the scenario's transactions, in the format of JSON-RPC. */
  readonly transactions?: readonly object[];
}

/** A scenario of `oracle/scenarios` that repeats the set-up of recorded responses. */
export function recordedWorld(name: string, changes: WorldChanges = {}): RecordedWorld {
  const path = scenarioPath(name);
  const base = dirname(path);
  const json = parseJson(readFileSync(path, "utf8")) as Record<string, unknown>;
  const { transactions, chainId, blockNumber } = changes;
  const scenario = scenarioDecoder.decode(
    {
      ...json,
      ...(chainId === undefined ? {} : { chain_id: chainId }),
      ...(transactions === undefined ? {} : { steps: transactions.map((tx) => ({ tx })) }),
    },
    "",
  );
  const version = changes.version ?? scenario.block.protocol_version ?? "";
  const known = blockContext(scenario, base, version);
  const info = { ...known.info, number: blockNumber ?? known.info.number };
  const block: BlockContext = { ...known, info };
  const { state } = initialState(scenario, base, version, block.feeTokens);
  return {
    block,
    state,
    transactions: scenario.steps.flatMap(({ tx, flags }) =>
      tx === undefined ? [] : [toRun(tx, flags, base, block, state)],
    ),
  };
}

function toRun(
  tx: StepTransaction,
  flags: Parameters<typeof prepareTransaction>[1],
  base: string,
  block: BlockContext,
  state: InitialState,
): EstimatedTransaction {
  const prepared = prepareTransaction(tx, flags, base, block.chainId, state);
  const { hashed, declared } = prepared;
  const onlyQuery = prepared.flags.onlyQuery ?? false;
  return declared === undefined
    ? { transaction: hashed, onlyQuery }
    : { transaction: hashed, onlyQuery, declared: declared.executable };
}

/** Deploy-account transaction of the recorded response `simulations/simulate_transaction.json`. */
export const DEPLOY_ACCOUNT_QUERY = {
  type: "DEPLOY_ACCOUNT",
  version: "0x100000000000000000000000000000001",
  contract_address_salt: "0x46c0d4abf0192a788aca261e58d7031576f7d8ea5229f452b0f23e691dd5971",
  max_fee: "0x0",
  signature: [],
  class_hash: "0x19cabebe31b9fb6bf5e7ce9a971bd7d06e9999e0b97eee943869141a46fd978",
  nonce: "0x0",
  constructor_calldata: ["0x1"],
} as const;

const NO_BOUND = { max_amount: "0x0", max_price_per_unit: "0x0" } as const;

/**
 * Set-up of `simulations/declare_and_deploy_integration.json`: a class compiled by this project.
 */
export function integrationWorld(): RecordedWorld {
  const scenario = "pathfinder_simulation_0_14_0";
  const from = { sender_address: "0xc01", signature: [] };
  const declare = recordedWorld(scenario, {
    transactions: [
      {
        ...from,
        type: "DECLARE",
        version: "0x3",
        nonce: "0x0",
        compiled_class_hash: "0x69032ff71f77284e1a0864a573007108ca5cc08089416af50f03260f5d6d4d8",
        resource_bounds: {
          l1_gas: { max_amount: "0x186a0", max_price_per_unit: "0xa" },
          l2_gas: NO_BOUND,
        },
        contract_class: {
          sierra: "../../fixtures/classes/pathfinder-rpc/libfuncs_coverage.json",
        },
      },
    ],
  });
  const classHash = declare.transactions[0]?.declared?.classHash ?? 0n;
  const deployContract = hexFromFelt(selectorFromName("deployContract"));
  const deployment = [hexFromFelt(classHash), "0x0", "0x0", "0x0"];
  const deploy = recordedWorld(scenario, {
    transactions: [
      {
        ...from,
        type: "INVOKE",
        version: "0x1",
        nonce: "0x1",
        max_fee: "0x989680",
        calldata: ["0x1", "0xc02", deployContract, "0x4", ...deployment],
      },
    ],
  });
  return { ...declare, transactions: [...declare.transactions, ...deploy.transactions] };
}

/** The transactions in a block: their results, and the states before and after. */
export function blockOf({ block, state, transactions }: RecordedWorld): TracedBlock {
  const after = new CachedState(state);
  const executor = new BlockExecutor(createCairoVm(), state, block);
  const receipts = transactions.map(({ transaction, declared }) => {
    const outcome = executor.execute(transaction, {}, declared);
    if (outcome.kind !== "included") throw new TypeError(`it is ${outcome.kind}`);
    if (declared !== undefined) after.declareClass(declared);
    return outcome.receipt;
  });
  return {
    id: "recorded",
    info: block.info,
    contents: () => ({
      transactions: transactions.map(({ transaction }) => transaction),
      receipts,
    }),
    before: state,
    after,
  };
}

/** Set-up of `fee_estimates/full.json`: a message from L1 to a counter contract. */
export function messageWorld(): {
  readonly block: BlockContext;
  readonly state: InitialState;
  readonly message: HashedTransaction<L1Handler>;
} {
  const { block } = recordedWorld("pathfinder_fees_0_13_1");
  const contractAddress = 0x57dde83c18c0efe7123c36a52d704cf27d5c38cdf0b1e1edc3b0dae3ee4e374n;
  const folder = "classes/pathfinder-rpc";
  const { classHash, executable } = loadClass(
    { sierra: `${folder}/l1_handler.json`, casm: `${folder}/l1_handler.casm` },
    fixturePath(),
    "class",
  );
  const state = new InitialState();
  state.classes.set(classHash, executable);
  state.classHashes.set(contractAddress, classHash);
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce: 0n,
    contractAddress,
    entryPointSelector: selectorFromName("my_l1_handler"),
    calldata: [0n, 0xan],
    paidFeeOnL1: 1n,
  };
  const one = { wei: 1n, fri: 1n };
  const gasPrices = { l1Gas: { wei: 2n, fri: 1n }, l1DataGas: one, l2Gas: one };
  return {
    block: { ...block, info: { ...block.info, gasPrices } },
    state,
    message: { hash: transactionHash(transaction, feltFromShortString("SN_SEPOLIA")), transaction },
  };
}
