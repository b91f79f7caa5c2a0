import type { BlockContext } from "#engine/execution/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";

/** What runs: a call is not of the chain, a transaction may do what it may do in a block. */
export type Limited = "call" | "transaction";

/** Limits Cairo steps in the environment of a block. */
export type StepLimit = (context: BlockContext, limited: Limited) => BlockContext;

/**
 * Limits Cairo steps as `--max-steps` says. Of what is metered by Sierra gas, a step counts its price.
 *
 * A call may get more than the protocol's limit, as nothing of it goes into a block; a transaction
 * gets no more: an estimate would promise what the chain does not keep.
 *
 * @param maxSteps - `null` for the protocol's limit
 */
export function createStepLimit(maxSteps: number | null): StepLimit {
  if (maxSteps === null) return (context) => context;
  // What is derived from constants is kept by their identity.
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
  // Versions in which a step has no price meter by steps alone.
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
