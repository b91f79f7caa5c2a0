import { describe, expect, test } from "bun:test";
import { starknetKeccak } from "#protocol/crypto/index.ts";
import type { SierraEntryPoint } from "#protocol/chain/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import { checkAllowed } from "#engine/sierra/contract/allowed.ts";
import { checkEntryPointLists } from "#engine/sierra/contract/entry-points.ts";
import { functionStarts, segmentLengths } from "#engine/sierra/contract/segments.ts";
import { checkVersion, type SierraVersion } from "#engine/sierra/contract/sierra-version.ts";
import type { Program, Statement } from "#engine/sierra/program/program.ts";
import { ProgramBuilder } from "#test/helpers/hostile-classes/program-builder.ts";

const EMPTY: Program = { types: [], libfuncs: [], statements: [], functions: [] };

describe("checkEntryPointLists", () => {
  const point = (selector: bigint, functionIdx = Number(selector)): SierraEntryPoint => ({
    selector,
    functionIdx,
  });
  const CONSTRUCTOR = point(starknetKeccak("constructor"), 0);
  const check = (
    external: readonly SierraEntryPoint[],
    constructors: readonly SierraEntryPoint[] = [],
    handlers: readonly SierraEntryPoint[] = [],
  ) =>
    checkEntryPointLists({
      entryPoints: { EXTERNAL: external, CONSTRUCTOR: constructors, L1_HANDLER: handlers },
    });

  test("accepts ascending selectors, one constructor and a function used at most twice", () => {
    expect(() => check([point(1n), point(2n)], [CONSTRUCTOR], [point(1n)])).not.toThrow();
    expect(() => check([])).not.toThrow();
  });

  test.each([
    ["two constructors", [], [CONSTRUCTOR, CONSTRUCTOR], [], "at most one constructor"],
    ["a constructor with another name", [], [point(5n)], [], "the selector 0x5"],
    ["a duplicate selector", [point(1n), point(1n)], [], [], "0x1 stands twice"],
    ["a wrong order", [point(2n), point(1n)], [], [], "0x1 is not in ascending order"],
    ["a wrong order of handlers", [], [], [point(2n), point(1n)], "L1_HANDLER entry point 1"],
    ["a function thrice", [point(1n, 7), point(2n, 7), point(3n, 7)], [], [], "function 7 serves"],
  ])("rejects %s", (_, external, constructors, handlers, expected) => {
    expect(() => check(external, constructors, handlers)).toThrow(expected);
  });
});

describe("checkAllowed", () => {
  const check = (genericId: string, version: SierraVersion) =>
    checkAllowed(
      { ...EMPTY, libfuncs: [{ genericId, args: [] }] },
      version,
      (id) => id !== "nonsense",
    );

  test.each(["nonsense", "qm31_add", "get_available_gas", "felt252_add_const"])(
    "rejects the libfunc %s",
    (genericId) => {
      expect(() => check(genericId, [1, 9, 0])).toThrow(
        `Libfunc ${genericId} is not allowed in the libfuncs list 'audited'.`,
      );
    },
  );

  test("escapes the name of a libfunc", () => {
    const all = () => false;
    const libfuncs = [{ genericId: "a\n'b", args: [] }];
    expect(() => checkAllowed({ ...EMPTY, libfuncs }, [1, 9, 0], all)).toThrow(
      `Libfunc "a\\n'b" is not allowed`,
    );
  });

  test.each(["print", "cheatcode", "trace", "unsafe_panic", "dummy_function_call"])(
    "rejects %s in a whole class by name, even if nothing calls it",
    (genericId) => {
      const builder = new ProgramBuilder();
      builder.libfunc(genericId);
      const compile = () => compileClass(builder.build("1.7.0"), { maxBytecodeSize: 100 });
      expect(compile).toThrow(
        `Libfunc ${genericId} is not allowed in the libfuncs list 'audited'.`,
      );
    },
  );

  test("rejects libfuncs newer than the version of the class, ignoring patch versions", () => {
    expect(() => check("blake2s_compress", [1, 8, 0])).not.toThrow();
    expect(() => check("blake2s_compress", [1, 7, 9])).toThrow("needs Sierra 1.8.0");
    expect(() => check("sha512_process_block_syscall", [1, 8, 9])).toThrow("needs Sierra 1.9.0");
    expect(() => check("felt252_add", [1, 0, 0])).not.toThrow();
  });
});

test.each<[SierraVersion, boolean]>([
  [[1, 0, 0], true],
  [[1, 9, 99], true],
  [[1, 10, 0], false],
  [[0, 9, 0], false],
  [[2, 0, 0], false],
])("checkVersion: support of Sierra %p is %p", (version, isSupported) => {
  const check = () => checkVersion(version);
  if (isSupported) expect(check).not.toThrow();
  else expect(check).toThrow(`Sierra ${version.join(".")} is not supported`);
});

describe("functionStarts and segmentLengths", () => {
  const invocation = (...targets: readonly (number | undefined)[]): Statement => ({
    kind: "invocation",
    libfunc: 0,
    args: [],
    branches: targets.map((target) => ({ target, results: [] })),
  });
  const END: Statement = { kind: "return", args: [] };
  const starts = (entries: readonly number[], statements: readonly Statement[]) =>
    functionStarts({
      ...EMPTY,
      statements,
      functions: entries.map((entry) => ({ name: "", params: [], returns: [], entry })),
    });

  test("start a part at each function, in code order", () => {
    expect(starts([2, 0], [invocation(undefined), END, invocation(2, 3), END])).toEqual([0, 2]);
  });

  test.each([
    ["no function starts at the first statement", [1], [END, END], "first statement"],
    ["a branch enters the next function", [0, 1], [invocation(undefined), END], "to statement 1"],
    ["a branch enters the previous function", [0, 1], [END, invocation(0)], "to statement 0"],
    ["a branch leads past the last statement", [0], [invocation(1)], "to statement 1"],
  ])("fail if %s", (_, entries, statements, expected) => {
    expect(() => starts(entries, statements)).toThrow(expected);
  });

  test("omit empty parts", () => {
    expect(segmentLengths([0, 4, 4, 9], 12)).toEqual([4, 5, 3]);
    expect(segmentLengths([0, 12], 12)).toEqual([12]);
  });
});
