import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { noArguments } from "../../libfunc/arguments.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, sameOutput, straight } from "../../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../../libfunc/specialization.ts";
import { FREE, steady } from "../shared/steady.ts";
import { fetchTable } from "./cost-table.ts";
import { getUnspentGas, redepositGas } from "./unspent.ts";
import { withdrawGas, withdrawGasAll } from "./withdraw.ts";

/** Libfuncs of the gas counter. */
export const GAS_LIBFUNCS: LibfuncFamily = {
  get_available_gas: getAvailableGas,
  get_builtin_costs: getBuiltinCosts,
  get_unspent_gas: getUnspentGas,
  redeposit_gas: redepositGas,
  withdraw_gas: withdrawGas,
  withdraw_gas_all: withdrawGasAll,
};

/** Returns the counter, and its value as a number. */
function getAvailableGas(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  noArguments(args);
  const gas = context.find("GasBuiltin");
  const amount = context.find("u128");
  return {
    signature: straight([gas], [sameOutput(gas, 0), sameOutput(amount, 0)], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename([...invocation.args, ...invocation.args]),
  };
}

/** Returns the pointer to the table of builtin costs. */
function getBuiltinCosts(...[context, args]: Parameters<Specialize>): ReturnType<Specialize> {
  noArguments(args);
  const table = context.find("BuiltinCosts");
  return {
    signature: straight([], [deferredOutput(table)], "other"),
    ...steady({ ap: 3, steps: 3 }),
    build: buildGetBuiltinCosts,
  };
}

function buildGetBuiltinCosts(invocation: InvocationBuilder): CompiledInvocation {
  const b = new CasmBuilder();
  const { before, table } = fetchTable(b);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[table]] }], {}, before);
}
