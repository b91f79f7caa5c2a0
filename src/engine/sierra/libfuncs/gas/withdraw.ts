import type { Var } from "../../casm/builder-state.ts";
import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { known } from "../../libfunc/ap-change.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { computationSteps } from "../../libfunc/computation-steps.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type {
  CompiledInvocation,
  InvocationBuilder,
  PlainCode,
} from "../../libfunc/invocation-builder.ts";
import { builtinOutput, forked, sameOutput, tempOutput } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { RANGE_CHECK_BOUND } from "../shared/under-limit.ts";
import { fetchTable, type RequestedGas, requestedGas, totalGas } from "./cost-table.ts";

/**
 * Specializes `withdraw_gas`: withdraws gas for the following code from the gas counter, or
 * branches when there is too little.
 */
export const withdrawGas: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: withdrawal(context, []),
    apChanges: (info) => {
      const steps = computationSteps(false, (token) => info.tokenUsages(token));
      return [known(steps + 2), known(steps === 0 ? 2 : steps + 3)];
    },
    costs: () => costs(false),
    build: buildWithdraw,
  };
};

/**
 * Specializes `withdraw_gas_all`: {@link withdrawGas} with the table of builtin costs as an
 * argument.
 */
export const withdrawGasAll: Specialize = (context, args) => {
  noArguments(args);
  return {
    signature: withdrawal(context, [context.find("BuiltinCosts")]),
    apChanges: (info) => {
      const steps = computationSteps(true, (token) => info.tokenUsages(token));
      return [known(steps + 2), known(steps + 3)];
    },
    costs: () => costs(true),
    build: buildWithdrawAll,
  };
};

function withdrawal(context: SpecializationContext, further: readonly number[]) {
  const rangeCheck = context.find("RangeCheck");
  const gas = context.find("GasBuiltin");
  const builtin = builtinOutput(rangeCheck);
  return forked(
    [rangeCheck, gas, ...further],
    { variables: [builtin, tempOutput(gas, 0)], apChange: "other" },
    { variables: [builtin, sameOutput(gas, 1)], apChange: "other" },
  );
}

function costs(withTable: boolean) {
  const branch = (success: boolean) => ({ kind: "withdraw_gas", success, withTable }) as const;
  return [branch(true), branch(false)];
}

/** Variables in the code of a withdrawal. */
interface Names {
  readonly rangeCheck: Var;
  /** Initial range check pointer. */
  readonly start: Var;
  readonly counter: Var;
}

function inputs(b: CasmBuilder, invocation: InvocationBuilder): Names {
  const [builtin, gas] = invocation.singles();
  const rangeCheck = bufferInput(b, builtin, 1);
  return { rangeCheck, start: b.copy(rangeCheck), counter: derefInput(b, gas) };
}

function buildWithdraw(invocation: InvocationBuilder): CompiledInvocation {
  const requested = requestedGas(invocation);
  const b = new CasmBuilder();
  const names = inputs(b, invocation);
  if (requested.builtins.length > 0) {
    const { before, table } = fetchTable(b);
    const pointer = b.tempvar(table);
    return withdrawWithTable(invocation, b, names, requested, pointer, before);
  }
  const amount = BigInt(requested.steady);
  return withdraw(invocation, b, names, requested, b.constant(amount), () =>
    b.tempvar(b.sum(names.counter, b.constant(RANGE_CHECK_BOUND - amount))),
  );
}

function buildWithdrawAll(invocation: InvocationBuilder): CompiledInvocation {
  const requested = requestedGas(invocation);
  const b = new CasmBuilder();
  const names = inputs(b, invocation);
  const [, , pointer] = invocation.singles();
  return withdrawWithTable(invocation, b, names, requested, derefInput(b, pointer));
}

function withdrawWithTable(
  invocation: InvocationBuilder,
  b: CasmBuilder,
  names: Names,
  requested: RequestedGas,
  table: Var,
  before?: PlainCode,
): CompiledInvocation {
  const total = totalGas(b, requested, table);
  const shifted = (): Var => {
    const difference = b.tempvar(b.difference(names.counter, total));
    return b.tempvar(b.sum(difference, b.constant(RANGE_CHECK_BOUND)));
  };
  return withdraw(invocation, b, names, requested, total, shifted, before);
}

/**
 * Subtracts `total` from the counter. A range check proves that the rest is not negative, or that there was
 * too little.
 *
 * @param shifted - writes the counter minus the total plus `2^128`
 */
function withdraw(
  invocation: InvocationBuilder,
  b: CasmBuilder,
  { rangeCheck, start, counter }: Names,
  requested: RequestedGas,
  total: Var,
  shifted: () => Var,
  before?: PlainCode,
): CompiledInvocation {
  const hasEnough = b.tempvar();
  b.hint("TestLessThanOrEqual", { lhs: total, rhs: counter }, { dst: hasEnough });
  b.jumpNz(hasEnough, "HasEnoughGas");
  b.assertEq(shifted(), b.next(rangeCheck));
  b.jump("Failure");
  b.label("HasEnoughGas");
  const updated = b.tempvar(b.difference(counter, total));
  b.assertEq(updated, b.next(rangeCheck));
  return invocation.finish(
    b,
    [
      { label: FALLTHROUGH, outputs: [[rangeCheck], [updated]] },
      {
        label: "Failure",
        outputs: [[rangeCheck], [counter]],
        target: invocation.target(1),
      },
    ],
    {
      builtins: [{ token: "RangeCheck", start, end: rangeCheck }],
      extra: [-requested.steady, 0],
    },
    before,
  );
}
