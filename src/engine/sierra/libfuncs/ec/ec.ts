import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { EC_POINT_TRY_NEW_LIBFUNCS } from "./point-try-new.ts";
import { EC_POINT_LIBFUNCS } from "./point.ts";
import { EC_STATE_LIBFUNCS } from "./state.ts";

/** Libfuncs of the Stark curve. */
export const EC_LIBFUNCS: LibfuncFamily = {
  ...EC_POINT_LIBFUNCS,
  ...EC_POINT_TRY_NEW_LIBFUNCS,
  ...EC_STATE_LIBFUNCS,
};
