import { ExecutionContext } from "../call/context.ts";
import { displayText } from "../call/display-text.ts";
import { executeCall } from "../call/execute.ts";
import { TRANSFER_SELECTOR } from "../call/felts.ts";
import { protocolCall } from "../call/request.ts";
import { interrupted, type PhaseResult, type Phases, rejected } from "./phases.ts";

/** Transfers the fee from the sender to the sequencer with the token's `transfer`. */
export function runFeeTransfer({ vm, state, context, trace }: Phases, fee: bigint): PhaseResult {
  const gas = Number(context.block.constants.os.defaultInitialGasCost);
  const execution = new ExecutionContext(vm, state, context, "execute", {
    limitStepsByBounds: true,
    gas,
    trace,
  });
  const calldata = [context.block.info.sequencerAddress, fee, 0n];
  const request = protocolCall(
    context.feeToken,
    TRANSFER_SELECTOR,
    calldata,
    gas,
    context.senderAddress,
  );
  const result = executeCall(execution, request, null);
  const interruption = interrupted(execution);
  if (interruption !== undefined) return interruption;
  if (result.kind === "done") return { kind: "done", call: result.record };
  return rejected(
    "FEE_TRANSFER_FAILED",
    "TransactionFeeError.ExecuteFeeTransferError.AnnotatedEntryPointExecutionError",
    displayText(result.error),
  );
}
