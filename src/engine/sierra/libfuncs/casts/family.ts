import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { downcast } from "./downcast.ts";
import { upcast } from "./upcast.ts";

/** Conversions between integer types. */
export const CAST_LIBFUNCS: LibfuncFamily = { upcast, downcast };
