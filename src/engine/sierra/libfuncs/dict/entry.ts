import { CasmBuilder } from "../../casm/casm-builder.ts";
import { FALLTHROUGH } from "../../casm/code-flow.ts";
import { typeArgument } from "../../libfunc/arguments.ts";
import { constGas } from "../../libfunc/branch-cost.ts";
import { bufferInput, derefInput } from "../../libfunc/inputs.ts";
import type { CompiledInvocation, InvocationBuilder } from "../../libfunc/invocation-builder.ts";
import { deferredOutput, sameOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import { steady } from "../shared/steady.ts";
import { UNIQUE_KEY_COST } from "./costs.ts";
import { dictOf, entryOf } from "./types.ts";

/**
 * Specializes `felt252_dict_entry_get`: starts an access to a key. Returns the access, which holds
 * the dictionary, and the key's value.
 */
export const felt252DictEntryGet: Specialize = (context, args) => {
  const type = typeArgument(args);
  const dict = dictOf(context, type);
  const entry = entryOf(context, type);
  const key = context.find("felt252");
  const { steps, rangeChecks } = UNIQUE_KEY_COST;
  return {
    signature: straight(
      [dict, key],
      [deferredOutput(entry), deferredOutput(type)],
      "new_vars_only",
    ),
    ...steady({ ap: 0, steps: 1 + steps, rangeChecks }),
    build: buildGet,
  };
};

function buildGet(invocation: InvocationBuilder): CompiledInvocation {
  const [dict, keyCell] = invocation.singles();
  const b = new CasmBuilder();
  const pointer = bufferInput(b, dict, 2);
  const key = derefInput(b, keyCell);
  b.hint("Felt252DictEntryInit", { dict_ptr: pointer, key });
  b.assertEq(key, b.next(pointer));
  const previousValue = b.next(pointer);
  // Cell of the new value, written when the access ends.
  b.next(pointer);
  return invocation.finish(
    b,
    [{ label: FALLTHROUGH, outputs: [[pointer], [previousValue]] }],
    // Squashing is charged in advance, as if every access were to a new key.
    { extra: [constGas(UNIQUE_KEY_COST)] },
  );
}

/**
 * Specializes `felt252_dict_entry_finalize`: ends an access, writes the new value and returns the
 * dictionary.
 */
export const felt252DictEntryFinalize: Specialize = (context, args) => {
  const type = typeArgument(args);
  const dict = dictOf(context, type);
  return {
    signature: straight([entryOf(context, type), type], [sameOutput(dict, 0)], "new_vars_only"),
    ...steady({ ap: 0, steps: 1 }),
    build: buildFinalize,
  };
};

function buildFinalize(invocation: InvocationBuilder): CompiledInvocation {
  const [entry, newValue] = invocation.singles();
  const b = new CasmBuilder();
  const pointer = bufferInput(b, entry, 0);
  const value = derefInput(b, newValue);
  b.hint("Felt252DictEntryUpdate", { dict_ptr: pointer, value });
  b.assertEq(value, b.at(pointer, -1));
  return invocation.finish(b, [{ label: FALLTHROUGH, outputs: [[pointer]] }]);
}
