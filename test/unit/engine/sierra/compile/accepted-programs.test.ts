import { describe, expect, test } from "bun:test";
import { ungassedLines } from "#test/helpers/sierra/ungassed-text.ts";

const DECLARATIONS = `
  type felt252 = felt252;
  type NonZero = NonZero<felt252>;
  type Uninitialized = Uninitialized<felt252>;
  type Array = Array<felt252>;
  type UninitializedArray = Uninitialized<Array>;
  type Unit = Struct<ut@Tuple>;
  type Box = Box<felt252>;
  type BuiltinCosts = BuiltinCosts;
  type Five = Const<felt252, 5>;
  type Seventeen = Const<felt252, 17>;
  libfunc align = branch_align;
  libfunc jump = jump;
  libfunc revoke = revoke_ap_tracking;
  libfunc finalize = finalize_locals;
  libfunc dup = dup<felt252>;
  libfunc drop = drop<felt252>;
  libfunc drop_nz = drop<NonZero>;
  libfunc drop_costs = drop<BuiltinCosts>;
  libfunc is_zero = felt252_is_zero;
  libfunc store = store_temp<felt252>;
  libfunc store_costs = store_temp<BuiltinCosts>;
  libfunc store_array = store_temp<Array>;
  libfunc alloc = alloc_local<felt252>;
  libfunc alloc_array = alloc_local<Array>;
  libfunc local = store_local<felt252>;
  libfunc local_array = store_local<Array>;
  libfunc unbox = unbox<felt252>;
  libfunc costs = get_builtin_costs;
`;

const CONSTANTS = `
  libfunc five = const_as_box<Five, 0>;
  libfunc seventeen = const_as_box<Seventeen, 0>;
`;

function lines(body: string, declarations = DECLARATIONS): string[] {
  return ungassedLines(`${declarations}${body}`.replaceAll(";", ";\n"));
}

// Code from the tests of the reference compiler's compile loop.
describe("a program compiles as with the reference compiler", () => {
  test("locals take the cells after previously stored values", () => {
    const body = `store([1]) -> ([1]); alloc() -> ([4]); alloc() -> ([5]); alloc_array() -> ([6]);
      local([4], [1]) -> ([4]); finalize() -> (); local([5], [2]) -> ([5]);
      local_array([6], [3]) -> ([6]); store([4]) -> ([4]); store([5]) -> ([5]);
      store_array([6]) -> ([6]); return([4], [5], [6]);
      f@0([1]: felt252, [2]: felt252, [3]: Array) -> (felt252, felt252, Array);`;
    expect(lines(body)).toEqual([
      "[ap + 0] = [fp + -6], ap++;",
      "[fp + 1] = [ap + -1];",
      "ap += 4;",
      "[fp + 2] = [fp + -5];",
      "[fp + 3] = [fp + -4];",
      "[fp + 4] = [fp + -3];",
      "[ap + 0] = [fp + 1], ap++;",
      "[ap + 0] = [fp + 2], ap++;",
      "[ap + 0] = [fp + 3], ap++;",
      "[ap + 0] = [fp + 4], ap++;",
      "ret;",
    ]);
  });

  test("a value without cells may be merged although ap is not tracked", () => {
    const body = `revoke() -> (); is_zero([1]) { fallthrough() 4([1]) }; align() -> ();
      jump() { 6() }; align() -> (); drop_nz([1]) -> (); return([2]);
      f@0([1]: felt252, [2]: Unit) -> (Unit);`;
    expect(lines(body)).toEqual(["jmp rel 4 if [fp + -3] != 0;", "jmp rel 2;", "ret;"]);
  });

  test("values at the same stack position may be merged, wherever they were created", () => {
    const body = `dup([1]) -> ([1], [2]); is_zero([1]) { fallthrough() 5([1]) }; align() -> ();
      store([2]) -> ([2]); jump() { 8() };
      align() -> (); drop_nz([1]) -> (); store([2]) -> ([2]); return([2]);
      f@0([1]: felt252) -> (felt252);`;
    expect(lines(body)).toEqual([
      "jmp rel 5 if [fp + -3] != 0;",
      "[ap + 0] = [fp + -3], ap++;",
      "jmp rel 3;",
      "[ap + 0] = [fp + -3], ap++;",
      "ret;",
    ]);
  });

  test("values above a consumed one keep their stack position", () => {
    const way = `dup([2]) -> ([2], [3]); dup([3]) -> ([3], [4]); store([2]) -> ([2]);
      store([3]) -> ([3]); drop([3]) -> (); store([4]) -> ([4]);`;
    const body = `dup([1]) -> ([1], [2]); is_zero([1]) { fallthrough() 11([1]) };
      align() -> (); ${way} drop([2]) -> (); jump() { 20() };
      align() -> (); drop_nz([1]) -> (); ${way} drop([2]) -> (); return([4]);
      f@0([1]: felt252) -> (felt252);`;
    expect(lines(body)).toHaveLength(9);
    const kept = body.replaceAll("drop([2]) -> (); jump() { 20() }", "jump() { 18() }");
    expect(() => lines(kept.replace("11(", "10("))).toThrow("variable 2 was created at two places");
  });

  test("code calls its constants, which follow all code", () => {
    const body = `five() -> ([1]); seventeen() -> ([2]); five() -> ([3]); unbox([1]) -> ([1]);
      unbox([2]) -> ([2]); unbox([3]) -> ([3]); store([1]) -> ([1]); drop([1]) -> ();
      store([2]) -> ([2]); drop([2]) -> (); store([3]) -> ([3]); return([3]); f@0() -> (felt252);`;
    expect(lines(body, `${DECLARATIONS}${CONSTANTS}`)).toEqual([
      ...["call rel 16;", "[ap + 0] = [ap + -1] + 15, ap++;"],
      ...["call rel 12;", "[ap + 0] = [ap + -1] + 12, ap++;"],
      ...["call rel 8;", "[ap + 0] = [ap + -1] + 7, ap++;"],
      "[ap + 0] = [[ap + -7] + 0], ap++;",
      "[ap + 0] = [[ap + -5] + 0], ap++;",
      "[ap + 0] = [[ap + -3] + 0], ap++;",
      ...["ret;", "ret;", "dw 5;", "dw 17;"],
    ]);
  });

  test("builtin costs follow code and constants", () => {
    const body = `costs() -> ([1]); store_costs([1]) -> ([1]); drop_costs([1]) -> ();
      five() -> ([2]); unbox([2]) -> ([2]); store([2]) -> ([2]); drop([2]) -> (); return();
      f@0() -> ();`;
    const five = "libfunc five = const_as_box<Five, 0>;\n";
    expect(lines(body, `${DECLARATIONS}${five}`)).toEqual([
      ...["call rel 13;", "[ap + 0] = [ap + -1] + 12, ap++;", "[ap + 0] = [[ap + -1] + 0], ap++;"],
      ...["call rel 6;", "[ap + 0] = [ap + -1] + 5, ap++;", "[ap + 0] = [[ap + -1] + 0], ap++;"],
      ...["ret;", "ret;", "dw 5;"],
    ]);
  });

  test("a match without variants has no branches", () => {
    const body = `type never = Enum<ut@never>; libfunc match = enum_match<never>;
      match([0]) { }; return(); f@0([0]: never) -> (); g@1() -> ();`;
    expect(lines(body, "")).toEqual(["ret;"]);
  });
});
