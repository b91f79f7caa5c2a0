import { immediate } from "../../casm/operand.ts";
import { valueArgument } from "../../libfunc/arguments.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { deferredOutput, straight } from "../../libfunc/signatures.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { FREE } from "./steady.ts";
import { unsupported } from "./types.ts";

/** Libfunc without code whose output is a number. */
export function constant(type: number, value: bigint): Libfunc {
  return {
    signature: straight([], [deferredOutput(type)], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename([[immediate(value)]]),
  };
}

/**
 * {@link constant} of a type without arguments. The number is the generic argument, and must be within
 * `range` if set.
 */
export function constantOf(genericId: string, range?: IntegerRange): Specialize {
  return (context, args) => {
    const value = valueArgument(args);
    if (range !== undefined && (value < range.lower || value >= range.upper)) {
      unsupported(`a value from ${range.lower} to ${range.upper - 1n}`);
    }
    return constant(context.find(genericId), value);
  };
}
