import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { ARRAY_ACCESS_LIBFUNCS } from "./access.ts";
import { ARRAY_GROWTH_LIBFUNCS } from "./grow.ts";
import { ARRAY_MULTI_POP_LIBFUNCS } from "./multi-pop.ts";
import { ARRAY_POP_LIBFUNCS } from "./pop.ts";
import { SPAN_LIBFUNCS } from "./span.ts";

/** Libfuncs of arrays and spans. */
export const ARRAY_LIBFUNCS: LibfuncFamily = {
  ...ARRAY_GROWTH_LIBFUNCS,
  ...ARRAY_ACCESS_LIBFUNCS,
  ...ARRAY_POP_LIBFUNCS,
  ...ARRAY_MULTI_POP_LIBFUNCS,
  ...SPAN_LIBFUNCS,
};
