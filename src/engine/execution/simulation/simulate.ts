import type { CairoVm } from "#engine/cairo/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import { BlockExecutor } from "../block/executor.ts";
import type { TransactionExecutionInfo } from "../block/outcome.ts";
import { accountContext, l1HandlerContext } from "../transaction/context.ts";
import { estimateOf, type FeeEstimate, type SimulatedTransaction } from "./estimate.ts";

/** One simulated transaction: its trace and what it would cost. */
export interface Simulation {
  readonly info: TransactionExecutionInfo;
  readonly estimate: FeeEstimate;
}

/** How a simulation ended; `index` names the transaction that could not be executed. */
export type SimulationOutcome =
  | { readonly kind: "ok"; readonly simulations: readonly Simulation[] }
  | { readonly kind: "failed"; readonly index: number; readonly reason: string }
  | { readonly kind: "cancelled" };

/** Executes transactions one after the other without any block: reverted ones have a trace too. */
export function simulateTransactions(
  vm: CairoVm,
  reader: StateReader,
  block: BlockContext,
  transactions: readonly SimulatedTransaction[],
  options: { readonly skipValidate: boolean; readonly skipFeeCharge: boolean },
): SimulationOutcome {
  const unlimited: BlockContext = { ...block, bouncer: { limits: {} } };
  const executor = new BlockExecutor(vm, reader, unlimited);
  const simulations: Simulation[] = [];
  for (const [index, simulated] of transactions.entries()) {
    const outcome = executor.execute(
      simulated.transaction,
      {
        validate: !options.skipValidate,
        strictNonce: !options.skipValidate,
        onlyQuery: simulated.onlyQuery ?? false,
        trace: true,
        ...(options.skipFeeCharge ? { chargeFee: false } : {}),
      },
      simulated.declared,
    );
    switch (outcome.kind) {
      case "cancelled":
        return outcome;
      case "rejected":
        return { kind: "failed", index, reason: outcome.error.message };
      case "block_full":
        return { kind: "failed", index, reason: "The block is full." };
      case "included":
        simulations.push({
          info: outcome.info,
          estimate: estimateFor(unlimited, simulated, outcome.info),
        });
    }
  }
  return { kind: "ok", simulations };
}

function estimateFor(
  block: BlockContext,
  simulated: SimulatedTransaction,
  info: TransactionExecutionInfo,
): FeeEstimate {
  const { hash, transaction } = simulated.transaction;
  const context =
    transaction.type === "L1_HANDLER"
      ? l1HandlerContext(block, { hash, transaction })
      : accountContext(block, { hash, transaction }, simulated.onlyQuery ?? false);
  const cost = {
    resources: info.resources,
    gas: info.gas,
    daGas: info.daGas,
    fee: info.actualFee,
  };
  return estimateOf(simulated, { context, cost });
}
