import { describe, expect, test } from "bun:test";
import { InvariantError } from "#base/errors/index.ts";
import { CasmBuilder } from "#engine/sierra/casm/casm-builder.ts";
import { FALLTHROUGH } from "#engine/sierra/casm/code-flow.ts";
import { apCell, deref, fpCell } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { compileProgram } from "#engine/sierra/compile/compiler.ts";
import { requireForms } from "#engine/sierra/compile/output-forms.ts";
import { type ApChange, known } from "#engine/sierra/libfunc/ap-change.ts";
import { regularCost } from "#engine/sierra/libfunc/branch-cost.ts";
import { bufferInput } from "#engine/sierra/libfunc/inputs.ts";
import type { InvocationBuilder } from "#engine/sierra/libfunc/invocation-builder.ts";
import type { Libfunc } from "#engine/sierra/libfunc/libfunc.ts";
import type { OutputReference } from "#engine/sierra/libfunc/signature.ts";
import type { Metadata } from "#engine/sierra/metadata/metadata.ts";
import type { Program } from "#engine/sierra/program/program.ts";

const ONE = [deref(apCell(-1))];

/** One statement and a return of its result; one parameter of one cell. */
const PROGRAM: Program = {
  types: [{ genericId: "felt252", args: [], declared: undefined }],
  libfuncs: [{ genericId: "double", args: [] }],
  statements: [
    { kind: "invocation", libfunc: 0, args: [1], branches: [{ target: undefined, results: [2] }] },
    { kind: "return", args: [2] },
  ],
  functions: [{ name: "f", params: [{ variable: 1, type: 0 }], returns: [0], entry: 0 }],
};

interface Parts {
  readonly ap?: ApChange;
  readonly steps?: number;
  readonly rangeChecks?: number;
  readonly output?: OutputReference;
  readonly newVarsOnly?: boolean;
  readonly build?: Libfunc["build"];
}

/** Libfunc that doubles its argument, in one step and one cell; other declarations as given. */
function double({ ap = known(1), steps = 1, rangeChecks = 0, ...rest }: Parts): Libfunc {
  const reference = rest.output ?? { kind: "new_temp_var", index: 0 };
  const apChange = (rest.newVarsOnly ?? true) ? "new_vars_only" : "other";
  return {
    signature: {
      params: [0],
      branches: [{ variables: [{ type: 0, reference }], apChange }],
      fallthrough: 0,
    },
    apChanges: () => [ap],
    costs: () => [regularCost({ steps, rangeChecks })],
    build: rest.build ?? ((invocation) => doubled(invocation)),
  };
}

function doubled(invocation: InvocationBuilder, used = 0) {
  const builder = new CasmBuilder();
  const pointer = bufferInput(builder, invocation.singles()[0], used);
  const start = builder.copy(pointer);
  const result = builder.tempvar(builder.sum(start, start));
  const end = builder.sum(start, builder.constant(used));
  return invocation.finish(builder, [{ label: FALLTHROUGH, outputs: [[result]] }], {
    builtins: [{ token: "RangeCheck", start, end }],
  });
}

function compile(libfunc: Libfunc, checkGas = true) {
  const registry = {
    libfuncs: [libfunc],
    sizes: [1],
    circuits: new Map(),
    constCells: () => [],
  };
  const metadata: Metadata = {
    functionApChanges: new Map([[0, 1]]),
    apVariables: new Map(),
    functionCosts: new Map([[0, new Map([["Const", 10_000]])]]),
    gasVariables: () => undefined,
  };
  return compileProgram(PROGRAM, registry, metadata, { maxBytecodeSize: 100, checkGas });
}

function refusalOf(libfunc: Libfunc): CompileError {
  try {
    compile(libfunc);
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  return expect.unreachable();
}

describe("compileProgram checks code against the declarations of its libfunc", () => {
  test("and accepts matching code", () => {
    expect(compile(double({})).instructions).toHaveLength(2);
  });

  test("comparing the cells by which it moves ap", () => {
    const refusal = refusalOf(double({ ap: known(2) }));
    expect(refusal.message).toBe("statement #0 (double): code moves ap by 1");
    expect(refusal.cause).toBeInstanceOf(InvariantError);
  });

  test("rejecting an unknown ap change", () => {
    expect(refusalOf(double({ ap: { kind: "unknown" } })).message).toContain("code moves ap by 1");
  });

  test("comparing its steps", () => {
    const { message } = refusalOf(double({ steps: 2 }));
    expect(message).toBe("statement #0 (double): code costs 100");
    expect(() => compile(double({ steps: 2 }), false)).not.toThrow();
  });

  test("comparing its range checks", () => {
    const build: Libfunc["build"] = (invocation) => doubled(invocation, 2);
    expect(() => compile(double({ build, rangeChecks: 2 }))).not.toThrow();
    expect(refusalOf(double({ build, rangeChecks: 1 })).message).toContain("code costs 240");
  });

  test("comparing the number of branches", () => {
    const build: Libfunc["build"] = (invocation) => invocation.finishPlain([], [], []);
    expect(refusalOf(double({ build })).message).toContain("the effects of each branch");
  });

  test("comparing the location of outputs", () => {
    for (const kind of ["zero_sized", "new_local_var"] as const) {
      const libfunc = double({ output: { kind }, newVarsOnly: false });
      expect(refusalOf(libfunc).message).toBe(`statement #0 (double): output 0 is a ${kind}`);
    }
  });

  test("requiring that ap moves only by the cells of outputs", () => {
    const libfunc = double({ output: { kind: "simple_derefs" } });
    expect(refusalOf(libfunc).message).toContain("ap moves by the cells of the outputs only");
  });

  test("comparing the cells of outputs", () => {
    const cells = [deref(apCell(-2)), deref(apCell(-1))];
    const build: Libfunc["build"] = (invocation) => invocation.rename([cells]);
    const libfunc = double({ build, ap: known(2), steps: 0 });
    expect(refusalOf(libfunc).message).toContain("output 0 has the cells of its type");
  });

  test("comparing the number of outputs", () => {
    const build: Libfunc["build"] = (invocation) => invocation.rename([ONE, ONE]);
    expect(refusalOf(double({ build, ap: known(0), steps: 0 })).message).toContain(
      "a branch returns the outputs of its signature",
    );
  });

  test("requiring that new cells are consecutive", () => {
    const cells = [deref(apCell(-3)), deref(apCell(-1))];
    const type = { type: 0, reference: { kind: "new_temp_var", index: 0 } } as const;
    const branch = { variables: [type], apChange: "other" } as const;
    const outputs = { signature: branch, cells: [cells], ap: { cells: 3 } };
    expect(() => requireForms(outputs, 1)).toThrow("come one after another");
    expect(() => requireForms({ ...outputs, cells: [cells.slice(1)] }, 2)).toThrow("is missing");
  });
});

describe("InvocationBuilder", () => {
  const asked = (
    ask: (invocation: InvocationBuilder) => unknown,
    checkGas = true,
  ): (() => unknown) => {
    let answer: unknown;
    const build: Libfunc["build"] = (invocation) => {
      answer = ask(invocation);
      return doubled(invocation);
    };
    return () => {
      compile(double({ build }), checkGas);
      return answer;
    };
  };

  test("provides arguments and statement", () => {
    expect(asked((invocation) => invocation.args)()).toEqual([[deref(fpCell(-3))]]);
    expect(asked((invocation) => invocation.statement)()).toBe(0);
  });

  test("provides the targets of branches", () => {
    expect(asked((invocation) => invocation.target(0))()).toBe(1);
    expect(asked((invocation) => invocation.target(1))).toThrow("branch 1 does not exist");
  });

  test("provides the entries of functions", () => {
    expect(asked((invocation) => invocation.entryOf(0))()).toBe(0);
    expect(asked((invocation) => invocation.entryOf(1))).toThrow("function 1 does not exist");
  });

  test("rejects a request for unknown gas", () => {
    expect(asked((invocation) => invocation.gasVariable("Const"))).toThrow(
      "statement #0 (double): gas of Const is unknown",
    );
  });

  test("reports no gas without gas checks", () => {
    expect(asked((invocation) => invocation.gasVariable("Const"), false)()).toBe(0);
  });

  test("reports no ap change if ap is not aligned", () => {
    expect(asked((invocation) => invocation.alignCells)()).toBe(0);
  });
});
