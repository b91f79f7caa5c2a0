import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { reinterpretationAround } from "../shared/identity.ts";
import { felt252DictEntryFinalize, felt252DictEntryGet } from "./entry.ts";
import { felt252DictNew } from "./new.ts";
import { felt252DictSquash } from "./squash.ts";
import { entriesOf, squashedDictOf } from "./types.ts";

/** Libfuncs of dictionaries from felts to one-cell values. */
export const DICT_LIBFUNCS: LibfuncFamily = {
  felt252_dict_new: felt252DictNew,
  felt252_dict_entry_get: felt252DictEntryGet,
  felt252_dict_entry_finalize: felt252DictEntryFinalize,
  felt252_dict_squash: felt252DictSquash,
  squashed_felt252_dict_entries: reinterpretationAround(squashedDictOf, entriesOf),
};
