import type { BlockContext } from "#engine/execution/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";

/** Kind of execution. A call never enters a block; a transaction is limited as in a block. */
export type Limited = "call" | "transaction";

/** Limits Cairo steps in a block context. */
export type StepLimit = (context: BlockContext, limited: Limited) => BlockContext;

/**
 * Creates the step limit of `--max-steps`. For execution metered by Sierra gas, each step counts its gas
 * price.
 *
 * A call may exceed the protocol's limit, because it never enters a block. A transaction may not: an estimate
 * would promise more than the chain allows.
 *
 * @param maxSteps - `null` for the protocol's limit
 */
export function createStepLimit(maxSteps: number | null): StepLimit {
  if (maxSteps === null) return (context) => context;
  // Reused, because values derived from constants are cached by their identity.
  const known = {
    call: new WeakMap<ProtocolConstants, ProtocolConstants>(),
    transaction: new WeakMap<ProtocolConstants, ProtocolConstants>(),
  };
  return (context, limited) => {
    const { constants } = context;
    const limits = known[limited];
    let limitedConstants = limits.get(constants);
    if (limitedConstants === undefined) {
      limitedConstants = withSteps(constants, maxSteps, limited);
      limits.set(constants, limitedConstants);
    }
    return { ...context, constants: limitedConstants };
  };
}

function withSteps(
  constants: ProtocolConstants,
  maxSteps: number,
  limited: Limited,
): ProtocolConstants {
  const { invokeTxMaxSteps, os } = constants;
  const { executeMaxSierraGas, stepGasCost } = os;
  // Versions without a step price are metered by steps only.
  const gas = stepGasCost === 0n ? executeMaxSierraGas : BigInt(maxSteps) * stepGasCost;
  const isCall = limited === "call";
  return {
    ...constants,
    invokeTxMaxSteps: isCall ? maxSteps : Math.min(maxSteps, invokeTxMaxSteps),
    os: {
      ...os,
      executeMaxSierraGas: isCall || gas < executeMaxSierraGas ? gas : executeMaxSierraGas,
    },
  };
}
