import { CasmBuilder } from "../casm/casm-builder.ts";
import { immediate } from "../casm/operand.ts";
import type { ApChange } from "../libfunc/ap-change.ts";
import { noArguments, typeArgument } from "../libfunc/arguments.ts";
import { regularCost } from "../libfunc/branch-cost.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import type { BranchSignature } from "../libfunc/signature.ts";
import { sameOutput, straight } from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { couponBuy, couponCall, couponRefund, functionCall } from "./function-call.ts";
import { reinterpretation } from "./shared/identity.ts";
import { FREE, steady } from "./shared/steady.ts";
import { nonZeroOf, snapshotOf, unsupported } from "./shared/types.ts";

/** Libfuncs of control flow and variables. */
export const CONTROL_LIBFUNCS: LibfuncFamily = {
  branch_align: branchAlign,
  coupon_buy: couponBuy,
  coupon_call: couponCall,
  coupon_refund: couponRefund,
  disable_ap_tracking: apTracking({ kind: "disable_tracking" }, "new_vars_only"),
  drop,
  dup,
  enable_ap_tracking: apTracking({ kind: "enable_tracking" }, "new_vars_only"),
  function_call: functionCall,
  jump,
  revoke_ap_tracking: apTracking({ kind: "unknown" }, "other"),
  snapshot_take: snapshotTake,
  unwrap_non_zero: (context, args) => {
    const type = typeArgument(args);
    return reinterpretation(nonZeroOf(context, type), type);
  },
};

/** Changes the tracking of `ap`, without code. */
function apTracking(change: ApChange, apChange: BranchSignature["apChange"]): Specialize {
  return (_context, args) => {
    noArguments(args);
    return {
      signature: straight([], [], apChange),
      apChanges: () => [change],
      costs: () => [regularCost({})],
      build: (invocation) => invocation.finishPlain([], [], [[]]),
    };
  };
}

/** Moves `ap` so that converging branches agree on it. */
function branchAlign(...[, args]: Parameters<Specialize>): ReturnType<Specialize> {
  noArguments(args);
  return {
    signature: straight([], [], "branch_align"),
    apChanges: () => [{ kind: "from_metadata" }],
    costs: () => [{ kind: "branch_align" }],
    build: buildBranchAlign,
  };
}

function buildBranchAlign(invocation: InvocationBuilder): CompiledInvocation {
  const cells = invocation.alignCells;
  if (cells === 0) return invocation.finishPlain([], [], [[]]);
  const body = { kind: "add_ap", operand: immediate(cells) } as const;
  return invocation.finishPlain([{ body, incAp: false, hints: [] }], [], [[]]);
}

function drop(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  if (!context.typeOf(type).info.droppable) unsupported("a type that can be dropped");
  return {
    signature: straight([type], [], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename([]),
  };
}

function dup(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  if (!context.typeOf(type).info.duplicatable) unsupported("a type that can be duplicated");
  return twice(type, type);
}

function snapshotTake(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  const type = typeArgument(args);
  return twice(type, snapshotOf(context, type));
}

/** Returns the argument twice without copying cells; the second output has type `second`. */
function twice(type: number, second: number): ReturnType<Specialize> {
  return {
    signature: straight([type], [sameOutput(type, 0), sameOutput(second, 0)], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename([...invocation.args, ...invocation.args]),
  };
}

/** Continues at another statement. */
function jump(...[, args]: Parameters<Specialize>): ReturnType<Specialize> {
  noArguments(args);
  return {
    signature: {
      params: [],
      branches: [{ variables: [], apChange: "new_vars_only" }],
      fallthrough: undefined,
    },
    ...steady({ ap: 0, steps: 1 }),
    build: buildJump,
  };
}

function buildJump(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  b.jump("Target");
  return invocation.finish(b, [{ label: "Target", outputs: [], target: invocation.target(0) }]);
}
