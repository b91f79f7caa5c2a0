import { noArguments } from "../../libfunc/arguments.ts";
import type { Specialize } from "../../libfunc/specialization.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { buildRangeReduction, rangeReductionTables } from "../shared/range-reduction.ts";
import { tryFromFelt252Signature } from "../shared/try-from-felt252.ts";

/** Converts a felt to a type of at most 2^128 integers. */
export function tryFromFelt252(genericId: string, range: IntegerRange): Specialize {
  return (context, args) => {
    noArguments(args);
    return {
      signature: tryFromFelt252Signature(context, context.find(genericId)),
      ...rangeReductionTables(range),
      build: (invocation) => buildRangeReduction(invocation, range),
    };
  };
}
