import { describe, expect, test } from "bun:test";
import { analyzeSierra, compileSierra } from "#test/helpers/sierra/compile-text.ts";

// Expected code is from the reference compiler's end-to-end cases `libfuncs/felt252_dict`.

const compiled = (text: string): string[] => compileSierra(analyzeSierra(text)).split("\n");

const DICT = `
type felt252 = felt252;
type Dict = Felt252Dict<felt252>;
type Entry = Felt252DictEntry<felt252>;
type Squashed = SquashedFelt252Dict<felt252>;
type RangeCheck = RangeCheck;
type SegmentArena = SegmentArena;
type GasBuiltin = GasBuiltin;
`;

const RESULTS = "RangeCheck, GasBuiltin, SegmentArena, Squashed";

test("felt252_dict_entry_get uses three cells and pays as for a new key", () => {
  const analyzed = analyzeSierra(`${DICT}
libfunc get = felt252_dict_entry_get<felt252>;
libfunc store_entry = store_temp<Entry>;
libfunc store = store_temp<felt252>;
get([0], [1]) -> ([2], [3]);
store_entry([2]) -> ([2]);
store([3]) -> ([3]);
return([2], [3]);
test@0([0]: Dict, [1]: felt252) -> (Entry, felt252);`);
  expect(compileSierra(analyzed).split("\n")).toEqual([
    "[fp + -3] = [[fp + -4] + 0];",
    "[ap + 0] = [fp + -4] + 3, ap++;",
    "[ap + 0] = [[fp + -4] + 1], ap++;",
    "ret;",
  ]);
  expect(analyzed.metadata.functionCosts.get(0)?.get("Const")).toBe(5320);
});

test("felt252_dict_entry_finalize writes the new value", () => {
  const code = compiled(`${DICT}
libfunc finalize = felt252_dict_entry_finalize<felt252>;
libfunc store = store_temp<Dict>;
finalize([0], [1]) -> ([2]);
store([2]) -> ([2]);
return([2]);
test@0([0]: Entry, [1]: felt252) -> (Dict);`);
  expect(code[0]).toBe("[fp + -3] = [[fp + -4] + -1];");
});

describe("felt252_dict_squash", () => {
  const analyzed = analyzeSierra(`${DICT}
libfunc untracked = disable_ap_tracking;
libfunc squash = felt252_dict_squash<felt252>;
libfunc store = store_temp<RangeCheck>;
libfunc store_gas = store_temp<GasBuiltin>;
libfunc store_arena = store_temp<SegmentArena>;
libfunc store_squashed = store_temp<Squashed>;
untracked() -> ();
squash([0], [1], [2], [3]) -> ([4], [5], [6], [7]);
store([4]) -> ([4]);
store_gas([5]) -> ([5]);
store_arena([6]) -> ([6]);
store_squashed([7]) -> ([7]);
return([4], [5], [6], [7]);
test@0([0]: RangeCheck, [1]: GasBuiltin, [2]: SegmentArena, [3]: Dict) -> (${RESULTS});`);
  const code = compileSierra(analyzed).split("\n");

  test("calls its helper functions", () => {
    expect(code.slice(0, 6)).toEqual([
      "[ap + 0] = [fp + -6], ap++;",
      "[ap + 0] = [fp + -5], ap++;",
      "[ap + 0] = [fp + -4], ap++;",
      "[ap + 0] = [fp + -3], ap++;",
      "call rel 4;",
      "jmp rel 178;",
    ]);
    expect(code.filter((line) => line.startsWith("call"))).toEqual([
      "call rel 4;",
      "call rel 15;",
      "call rel 4;",
      "call rel -105;",
    ]);
  });

  test("refunds gas for each repeated access", () => {
    expect(code).toContain("[ap + 0] = [ap + -1] * 4050, ap++;");
    expect(analyzed.metadata.functionCosts.get(0)?.get("Const")).toBe(6410);
  });
});

test("entries of a squashed dictionary are tuples of the key and its two values", () => {
  const text = (members: string): string => `${DICT}
type Tuple = Struct<ut@Tuple, ${members}>;
type Entries = Array<Tuple>;
libfunc entries = squashed_felt252_dict_entries<felt252>;`;
  expect(analyzeSierra(text("felt252, felt252, felt252")).program.libfuncs).toHaveLength(1);
  expect(() => analyzeSierra(text("felt252, felt252"))).toThrow(
    expect.objectContaining({ code: "SIERRA_SPECIALIZATION" }),
  );
});
