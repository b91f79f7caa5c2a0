import type { HashedTransaction, L1Handler } from "#protocol/chain/index.ts";
import type { CallInfo } from "../call/info.ts";
import { transactionCost } from "../fee/cost.ts";
import { l1HandlerShape } from "../fee/shape.ts";
import { countForFee } from "../fee/state-changes.ts";
import { l1HandlerContext } from "./context.ts";
import { runExecute } from "./execute.ts";
import { GasBudget } from "./phases.ts";
import type { RunInput, RunResult } from "./run.ts";

/**
 * Runs a message from L1: no nonce, no validation, and no fee, because it was paid on L1. A failing message
 * is included as reverted.
 */
export function runL1Handler(
  { vm, state, block, flags }: RunInput,
  hashed: HashedTransaction<L1Handler>,
): RunResult {
  const { transaction } = hashed;
  const context = l1HandlerContext(block, hashed);
  const bounds = block.constants.os.l1HandlerMaxAmountBounds;
  const gasLimit = Number(bounds.l2Gas);
  const shape = l1HandlerShape(transaction);
  const start = state.checkpoint();
  const { trace } = flags;
  const executed = runExecute(
    { vm, state, context, chargeFee: false, budget: new GasBudget(gasLimit), trace },
    {
      entryPointType: "L1_HANDLER",
      selector: transaction.entryPointSelector,
      calldata: transaction.calldata,
    },
    0,
    gasLimit,
  );
  if (executed.kind === "cancelled" || executed.kind === "rejected") return executed;
  const end = (execute: CallInfo | null, revertReason: string | null): RunResult => {
    if (execute === null) state.revertTo(start);
    const changes = countForFee(state.changesSince(start), undefined, context.feeToken);
    const cost = transactionCost(context, shape, execute === null ? [] : [execute], changes, {
      steps: 0,
      sierraGas: 0,
    });
    return {
      kind: "done",
      context,
      validate: null,
      execute,
      feeTransfer: null,
      revertReason,
      cost,
    };
  };
  if (executed.kind === "failed") {
    const { failure, calls } = executed;
    const reverted = withoutFee(end(null, failure.text));
    return reverted.kind === "done" ? { ...reverted, failure, reverted: calls } : reverted;
  }
  const ended = end(executed.call, null);
  if (ended.kind !== "done") return ended;
  const { gas, fee } = ended.cost;
  for (const [name, limit, used] of [
    ["L1Gas", bounds.l1Gas, gas.l1Gas],
    ["L2Gas", bounds.l2Gas, gas.l2Gas],
    ["L1DataGas", bounds.l1DataGas, gas.l1DataGas],
  ] as const) {
    if (used > limit) {
      const reverted = withoutFee(
        end(null, `Insufficient max ${name}: max amount: ${limit}, actual used: ${used}.`),
      );
      return reverted.kind === "done" && trace !== undefined
        ? { ...reverted, reverted: { root: executed.call, path: null } }
        : reverted;
    }
  }
  if (transaction.paidFeeOnL1 === 0n) {
    return {
      kind: "rejected",
      error: {
        code: "INSUFFICIENT_BALANCE",
        kind: "TransactionFeeError.InsufficientFee",
        message: `Actual fee (${fee}) exceeded paid fee on L1 (0).`,
      },
    };
  }
  return withoutFee(ended);
}

function withoutFee(result: RunResult): RunResult {
  return result.kind === "done" ? { ...result, cost: { ...result.cost, fee: 0n } } : result;
}
