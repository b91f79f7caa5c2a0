import { CasmBuilder } from "../../casm/casm-builder.ts";
import { cellPlus } from "../../casm/cell-expression.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { deref } from "../../casm/operand.ts";
import { CompileError } from "../../compile-error.ts";
import { known } from "../../libfunc/ap-change.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import { computationSteps } from "../../libfunc/computation-steps.ts";
import { derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { deferredOutput, sameOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { fetchTable, requestedGas, totalGas } from "./cost-table.ts";

/**
 * Specializes `redeposit_gas`: returns gas that the following code does not need to the gas
 * counter.
 */
export const redepositGas: Specialize = (context, args) => {
  noArguments(args);
  const gas = context.find("GasBuiltin");
  return {
    signature: straight([gas], [deferredOutput(gas)], "other"),
    apChanges: computedChange,
    costs: () => [{ kind: "redeposit_gas" }],
    build: (invocation) => buildUnspent(invocation, true),
  };
};

/**
 * Specializes `get_unspent_gas`: returns the gas counter, and the value that it would have
 * including unspent gas.
 */
export const getUnspentGas: Specialize = (context, args) => {
  noArguments(args);
  const gas = context.find("GasBuiltin");
  const amount = context.find("u128");
  return {
    signature: straight([gas], [sameOutput(gas, 0), deferredOutput(amount)], "other"),
    apChanges: computedChange,
    costs: () => [{ kind: "get_unspent_gas" }],
    build: (invocation) => buildUnspent(invocation, false),
  };
};

const computedChange: Libfunc["apChanges"] = (info) => [
  known(computationSteps(false, (token) => info.tokenUsages(token))),
];

function buildUnspent(invocation: InvocationBuilder, isRedeposit: boolean): CompiledInvocation {
  const requested = requestedGas(invocation);
  const [gas] = invocation.singles();
  if (requested.builtins.length === 0) {
    if (gas?.kind !== "deref") {
      throw new CompileError(
        "SIERRA_INVALID",
        "the counter of gas is not in a cell: store it first",
      );
    }
    const updated = [cellPlus(gas.cell, BigInt(requested.steady))];
    return invocation.rename(isRedeposit ? [updated] : [[deref(gas.cell)], updated]);
  }
  const b = new CasmBuilder();
  const counter = derefInput(b, gas);
  const { before, table } = fetchTable(b);
  const total = totalGas(b, requested, b.tempvar(table));
  const updated = b.sum(counter, total);
  const outputs = isRedeposit ? [[updated]] : [[counter], [updated]];
  const check = isRedeposit ? { extra: [requested.steady] } : {};
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs }], check, before);
}
