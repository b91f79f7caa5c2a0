import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import {
  type BlockContext,
  estimateMessageFee,
  simulateTransactions,
} from "#engine/execution/index.ts";
import type { TraceAccess } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { BlockTracer } from "./block-tracer.ts";
import type { TraceLimits } from "./trace-limits.ts";
import type { Cancellation } from "./cancellation.ts";
import { markImpersonated } from "./impersonated.ts";
import { weighBlock } from "./weigh-block.ts";

/** Dependencies of {@link traceAccess}. */
export interface TraceAccessDeps {
  readonly vm: CairoVm;
  readonly contextOf: (info: BlockInfo) => BlockContext;
  /** Block context with the limits of executions outside a block. */
  readonly limitedOf: (info: BlockInfo) => BlockContext;
  /** Whether an account is impersonated, so that any signature is valid. */
  readonly isImpersonatedAccount: (address: Felt) => boolean;
  readonly cancellation: Pick<Cancellation, "isStopped" | "noted">;
  /** `false` on a chain without fees: simulations charge none either. */
  readonly chargeFees: boolean;
  readonly limits: TraceLimits;
}

/** Creates traces, simulations and message fee estimates, on one machine. */
export function traceAccess(deps: TraceAccessDeps): TraceAccess {
  const { vm, contextOf, cancellation, chargeFees, limits } = deps;
  const { limitedOf, isImpersonatedAccount } = deps;
  const tracer = new BlockTracer({ vm, contextOf, cancellation, limits });
  return {
    simulate: (state, info, transactions, { skipValidate, skipFeeCharge }) =>
      cancellation.noted(
        simulateTransactions(
          vm,
          state,
          limitedOf(info),
          markImpersonated(transactions, isImpersonatedAccount),
          { skipValidate, skipFeeCharge: skipFeeCharge || !chargeFees },
          { maxTraceBytes: limits.maxTraceBytes },
        ),
      ),
    estimateMessageFee: (state, info, message) =>
      cancellation.noted(estimateMessageFee(vm, state, limitedOf(info), message)),
    traceBlock: (block) => tracer.traceBlock(block),
    traceOne: (block, index) => tracer.traceOne(block, index),
    weighBlock: (block) => weighBlock({ vm, contextOf, cancellation }, block),
  };
}
