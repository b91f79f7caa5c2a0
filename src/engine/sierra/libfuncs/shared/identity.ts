import { noArguments, typeArgument } from "../../libfunc/arguments.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";
import { sameOutput, straight } from "../../libfunc/signatures.ts";
import type { SpecializationContext, Specialize } from "../../libfunc/specialization.ts";
import { FREE } from "./steady.ts";

/** Libfunc without code that returns its argument as another type. */
export function reinterpretation(from: number, to: number): Libfunc {
  return {
    signature: straight([from], [sameOutput(to, 0)], "new_vars_only"),
    ...FREE,
    build: (invocation) => invocation.rename(invocation.args),
  };
}

/** {@link reinterpretation} between types without arguments. */
export function reinterpretationOf(from: string, to: string): Specialize {
  return (context, args) => {
    noArguments(args);
    return reinterpretation(context.find(from), context.find(to));
  };
}

/** {@link reinterpretation} between types derived from the type argument. */
export function reinterpretationAround(
  from: (context: SpecializationContext, type: number) => number,
  to: (context: SpecializationContext, type: number) => number,
): Specialize {
  return (context, args) => {
    const type = typeArgument(args);
    return reinterpretation(from(context, type), to(context, type));
  };
}
