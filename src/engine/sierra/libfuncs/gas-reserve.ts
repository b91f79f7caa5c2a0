import { CasmBuilder } from "../casm/casm-builder.ts";
import { FALLTHROUGH } from "../casm/code-flow.ts";
import { noArguments } from "../libfunc/arguments.ts";
import { derefInput } from "../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import {
  builtinOutput,
  deferredOutput,
  forked,
  sameOutput,
  straight,
  tempOutput,
} from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { buildSmallDifference } from "./shared/small-difference.ts";
import { FREE, steady } from "./shared/steady.ts";
import { RANGE_CHECK_BOUND } from "./shared/under-limit.ts";

/** Libfuncs that set gas aside and return it later. */
export const GAS_RESERVE_LIBFUNCS: LibfuncFamily = {
  gas_reserve_create: create,
  gas_reserve_utilize: utilize,
};

function create(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  noArguments(args);
  const rangeCheck = context.find("RangeCheck");
  const gas = context.find("GasBuiltin");
  const amount = context.find("u128");
  const reserve = context.find("GasReserve");
  const builtin = builtinOutput(rangeCheck);
  return {
    signature: forked(
      [rangeCheck, gas, amount],
      { variables: [builtin, tempOutput(gas, 0), sameOutput(reserve, 2)], apChange: "other" },
      { variables: [builtin, sameOutput(gas, 1)], apChange: "other" },
    ),
    ...steady({ ap: 2, steps: 3, rangeChecks: 1 }, { ap: 3, steps: 5, rangeChecks: 1 }),
    build: (invocation) =>
      buildSmallDifference(
        invocation,
        RANGE_CHECK_BOUND,
        (names) => [[names.rangeCheck], [names.difference], [names.rhs]],
        (names) => [[names.rangeCheck], [names.lhs]],
      ),
  };
}

function utilize(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  noArguments(args);
  const gas = context.find("GasBuiltin");
  const reserve = context.find("GasReserve");
  return {
    signature: straight([gas, reserve], [deferredOutput(gas)], "new_vars_only"),
    ...FREE,
    build: buildUtilize,
  };
}

function buildUtilize(invocation: InvocationBuilder): CompiledInvocation {
  const [counter, reserve] = invocation.singles();
  const b = new CasmBuilder();
  const updated = b.sum(derefInput(b, counter), derefInput(b, reserve));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[updated]] }]);
}
