import { CasmBuilder } from "../casm/casm-builder.ts";
import { FALLTHROUGH } from "../casm/code-flow.ts";
import { noArguments } from "../libfunc/arguments.ts";
import { type PrecostToken, regularCost } from "../libfunc/branch-cost.ts";
import { bufferInput } from "../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../libfunc/invocation-builder.ts";
import { builtinOutput, deferredOutput, straight } from "../libfunc/signatures.ts";
import type { LibfuncFamily, Specialize } from "../libfunc/specialization.ts";
import { cellArgument } from "./shared/operands.ts";
import { FREE } from "./shared/steady.ts";

/** Hash builtin with consecutive cells for its `inputs` and `outputs`. */
interface HashBuiltin {
  /** Type of the builtin, and the token in which it is paid. */
  readonly builtin: PrecostToken;
  readonly inputs: number;
  readonly outputs: number;
}

function hash(options: HashBuiltin): Specialize {
  return (context, args) => {
    noArguments(args);
    const builtin = context.find(options.builtin);
    const felt = context.find("felt252");
    return {
      signature: straight(
        [builtin, ...Array.from({ length: options.inputs }, () => felt)],
        [
          builtinOutput(builtin),
          ...Array.from({ length: options.outputs }, () => deferredOutput(felt)),
        ],
        "new_vars_only",
      ),
      apChanges: FREE.apChanges,
      costs: () => [regularCost({ steps: options.inputs }, { [options.builtin]: 1 })],
      build: (invocation) => buildHash(invocation, options),
    };
  };
}

function buildHash(
  invocation: InvocationBuilder,
  { inputs, outputs }: HashBuiltin,
): CompiledInvocation {
  const b = new CasmBuilder();
  const builtin = bufferInput(b, invocation.args[0]?.[0], inputs + outputs - 1);
  for (let i = 1; i <= inputs; i++) {
    b.assertEq(cellArgument(b, invocation, i), b.next(builtin));
  }
  const results = Array.from({ length: outputs }, () => [b.next(builtin)]);
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[builtin], ...results] }]);
}

/** Libfuncs of the hash builtins. */
export const HASH_LIBFUNCS: LibfuncFamily = {
  pedersen: hash({ builtin: "Pedersen", inputs: 2, outputs: 1 }),
  hades_permutation: hash({ builtin: "Poseidon", inputs: 3, outputs: 3 }),
};
