import { describe, expect, test } from "bun:test";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { compileUngassed } from "#test/helpers/sierra/ungassed-text.ts";

const TYPES = `
  type felt252 = felt252;
  type NonZero = NonZero<felt252>;
  type Uninitialized = Uninitialized<felt252>;
`;

const LIBFUNCS = `
  libfunc align = branch_align;
  libfunc dup = dup<felt252>;
  libfunc drop = drop<felt252>;
  libfunc drop_nz = drop<NonZero>;
  libfunc is_zero = felt252_is_zero;
  libfunc add = felt252_add;
  libfunc jump = jump;
  libfunc store = store_temp<felt252>;
  libfunc store_nz = store_temp<NonZero>;
  libfunc alloc = alloc_local<felt252>;
  libfunc store_local = store_local<felt252>;
  libfunc drop_uninitialized = drop<Uninitialized>;
  libfunc finalize = finalize_locals;
  libfunc enable = enable_ap_tracking;
  libfunc disable = disable_ap_tracking;
  libfunc revoke = revoke_ap_tracking;
`;

/** Rejected programs with the expected message. Statements count from 0. */
const REFUSED: Readonly<Record<string, readonly [body: string, reason: string]>> = {
  "an undefined variable": [
    `return([2]); f@0() -> (felt252);`,
    "statement #0 (return): variable 2 is unknown",
  ],
  "a variable that is overwritten": [
    `dup([1]) -> ([1], [2]); dup([2]) -> ([1], [2]); return(); f@0([1]: felt252) -> ();`,
    "statement #1 (dup): variable 1 is overwritten",
  ],
  "one variable for two results": [
    `dup([1]) -> ([2], [2]); return([2]); f@0([1]: felt252) -> (felt252);`,
    "statement #0 (dup): variable 2 is overwritten",
  ],
  "one variable for two arguments": [
    `add([1], [1]) -> ([2]); return([2]); f@0([1]: felt252) -> (felt252);`,
    "statement #0 (felt252_add): variable 1 is unknown",
  ],
  "one variable for two parameters": [
    `return(); f@0([1]: felt252, [1]: felt252) -> ();`,
    "statement #0 (return): two parameters are variable 1",
  ],
  "a return of a value that is not at the top of the stack": [
    `return([2]); f@0([2]: felt252) -> (felt252);`,
    "statement #0 (return): what it returns is not at the top of the stack",
  ],
  "a return in an order other than on the stack": [
    `store([1]) -> ([1]); store([2]) -> ([2]); return([2], [1]);
     f@0([1]: felt252, [2]: felt252) -> (felt252, felt252);`,
    "statement #2 (return): what it returns is not at the top of the stack",
  ],
  "a return of a value below another one": [
    `store([1]) -> ([1]); store([2]) -> ([2]); drop([2]) -> (); return([1]);
     f@0([1]: felt252, [2]: felt252) -> (felt252);`,
    "statement #3 (return): what it returns is not at the top of the stack",
  ],
  "an expression where a cell is required": [
    `add([1], [2]) -> ([4]); add([3], [4]) -> ([5]); return([5]);
     f@0([1]: felt252, [2]: felt252, [3]: felt252) -> (felt252);`,
    "statement #1 (felt252_add)",
  ],
  "an argument of another type": [
    `drop_nz([1]) -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #0 (drop): argument 0 is of type #0, not of #1",
  ],
  "a return of another type": [
    `is_zero([1]) { fallthrough() 4([1]) }; align() -> (); store([2]) -> ([2]); return([2]);
     align() -> (); drop([2]) -> (); store_nz([1]) -> ([1]); return([1]);
     f@0([1]: felt252, [2]: felt252) -> (felt252);`,
    "statement #7 (return): argument 0 is of type #1, not of #0",
  ],
  "a return of too few values": [
    `return(); f@0() -> (felt252);`,
    "statement #0 (return): it takes 1 variables, not 0",
  ],
  "a variable that is never consumed": [
    `dup([1]) -> ([1], [2]); store([1]) -> ([1]); return([1]); f@0([1]: felt252) -> (felt252);`,
    "statement #2 (return): variable 2 is never consumed",
  ],
  "an unreachable statement": [
    `return(); return(); f@0() -> ();`,
    "statement #1 (return): no path leads to it",
  ],
  "a statement of two functions": [
    `return(); f@0() -> (); g@0() -> ();`,
    "statement #0 (return): it belongs to two functions",
  ],
  "a jump into another function": [
    `return(); jump() { 0() }; f@0() -> (); g@1() -> ();`,
    "statement #1 (jump): it belongs to two functions",
  ],
  "paths that leave a variable at two places": [
    `dup([1]) -> ([1], [2]); dup([1]) -> ([1], [3]); is_zero([1]) { fallthrough() 7([1]) };
     align() -> (); store([2]) -> ([2]); store([3]) -> ([3]); jump() { 11() };
     align() -> (); drop_nz([1]) -> (); store([3]) -> ([3]); store([2]) -> ([2]);
     return([2], [3]); f@0([1]: felt252) -> (felt252, felt252);`,
    "statement #10 (store_temp): variable 3 is in two places",
  ],
  "paths that create a variable at two places off the stack": [
    `dup([1]) -> ([1], [2]); dup([1]) -> ([1], [3]); is_zero([1]) { fallthrough() 8([1]) };
     align() -> (); store([2]) -> ([2]); store([3]) -> ([3]); drop([3]) -> (); jump() { 13() };
     align() -> (); drop_nz([1]) -> (); store([2]) -> ([2]); store([3]) -> ([3]); drop([3]) -> ();
     return([2]); f@0([1]: felt252) -> (felt252);`,
    "statement #12 (drop): variable 2 was created at two places",
  ],
  "paths with different variables": [
    `is_zero([1]) { fallthrough() 3([1]) }; align() -> (); jump() { 4() };
     align() -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #3 (branch_align): two paths to it have different variables",
  ],
  "paths with as many but different variables": [
    `dup([1]) -> ([1], [2]); is_zero([1]) { fallthrough() 4([1]) }; align() -> (); jump() { 6() };
     align() -> (); drop([2]) -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #5 (drop): only one path to it has variable 1",
  ],
  "paths that start tracking at different statements": [
    `disable() -> (); is_zero([1]) { fallthrough() 5([1]) }; align() -> (); enable() -> ();
     jump() { 8() }; align() -> (); drop_nz([1]) -> (); enable() -> (); return();
     f@0([1]: felt252) -> ();`,
    "statement #7 (enable_ap_tracking): two paths to it differ in the tracking of ap",
  ],
  "paths of which one is not tracked": [
    `is_zero([1]) { fallthrough() 4([1]) }; align() -> (); revoke() -> (); jump() { 6() };
     align() -> (); drop_nz([1]) -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #5 (drop): two paths to it differ in the tracking of ap",
  ],
  "paths of which one has locals": [
    `is_zero([1]) { fallthrough() 4([1]) }; align() -> (); finalize() -> (); jump() { 6() };
     align() -> (); drop_nz([1]) -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #5 (drop): two paths to it differ in the locals",
  ],
  "a jump to the target of a branch": [
    `is_zero([1]) { fallthrough() 2([1]) }; align() -> (); align() -> (); drop_nz([1]) -> ();
     return(); f@0([1]: felt252) -> ();`,
    "two paths to it have different variables",
  ],
  "a backward jump to the target of a branch": [
    `is_zero([1]) { fallthrough() 3([1]) }; align() -> (); jump() { 1() };
     align() -> (); drop_nz([1]) -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #2 (jump): two paths lead to the target of a branch",
  ],
  "tracking that is enabled twice": [
    `enable() -> (); return(); f@0() -> ();`,
    "statement #0 (enable_ap_tracking): the tracking of ap is enabled already",
  ],
  "a value relative to ap after a call of unknown length": [
    `store([1]) -> ([1]); dup([1]) -> ([1], [2]); call([2]) -> (); store([1]) -> ([1]);
     drop([1]) -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #2 (function_call): variable 1 is lost: ap moves by an unknown number of cells",
  ],
  "locals that are finalized twice": [
    `finalize() -> (); finalize() -> (); return(); f@0() -> ();`,
    "statement #1 (finalize_locals)",
  ],
  "locals that are finalized after a call of unknown length": [
    `store([1]) -> ([1]); call([1]) -> (); finalize() -> (); return(); f@0([1]: felt252) -> ();`,
    "statement #2 (finalize_locals)",
  ],
  "a local after ap has moved": [
    `alloc() -> ([2]); store([1]) -> ([1]); alloc() -> ([3]); return(); f@0([1]: felt252) -> ();`,
    "statement #2 (alloc_local)",
  ],
  "a local after tracking was restarted": [
    `disable() -> (); enable() -> (); alloc() -> ([1]); return(); f@0() -> ();`,
    "statement #2 (alloc_local)",
  ],
  "locals that are never finalized": [
    `alloc() -> ([2]); store_local([2], [1]) -> ([2]); drop([2]) -> (); return();
     f@0([1]: felt252) -> ();`,
    "statement #3 (return): locals are allocated and not finalized",
  ],
};

describe("compileProgram rejects, with statement and reason,", () => {
  for (const [name, [body, reason]] of Object.entries(REFUSED)) {
    test(name, () => {
      const usesCall = body.includes("call(");
      const call = usesCall ? "libfunc call = function_call<user@f>;" : "";
      const lines = `${TYPES}${LIBFUNCS}${call}${body}`.replaceAll(";", ";\n");
      const make = () => compileUngassed(lines);
      expect(make).toThrow(CompileError);
      expect(make).toThrow(reason);
    });
  }
});

test("a CompileError has the statement number in its metadata", () => {
  try {
    compileUngassed("return([2]);\nf@0() -> ();");
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: "SIERRA_INVALID", meta: { statement: 0 } });
  }
});
