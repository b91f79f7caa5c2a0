import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { enumFromBoundedInt, enumInit } from "./construct.ts";
import { enumBoxedMatch, enumMatch, enumSnapshotMatch } from "./match.ts";

/** Libfuncs of enums, which are a selector of the variant, followed by the value in the last cells. */
export const ENUM_LIBFUNCS: LibfuncFamily = {
  enum_boxed_match: enumBoxedMatch,
  enum_from_bounded_int: enumFromBoundedInt,
  enum_init: enumInit,
  enum_match: enumMatch,
  enum_snapshot_match: enumSnapshotMatch,
};
