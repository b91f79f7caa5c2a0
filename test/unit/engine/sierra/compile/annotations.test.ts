import { describe, expect, test } from "bun:test";
import { apCell, deref, fpCell } from "#engine/sierra/casm/operand.ts";
import { Annotations } from "#engine/sierra/compile/annotations.ts";
import { requireForms } from "#engine/sierra/compile/output-forms.ts";
import {
  isSameIntroduction,
  type IntroductionPoint,
} from "#engine/sierra/compile/reference-value.ts";
import type { ProgramInfo } from "#engine/sierra/libfunc/program-info.ts";
import type { FunctionDeclaration, Program, Statement } from "#engine/sierra/program/program.ts";

const INFO: ProgramInfo = {
  sizeOf: (type) => type,
  circuitOf: () => expect.unreachable(),
};

const RETURN: Statement = { kind: "return", args: [] };

function programOf(...statements: readonly Statement[]): Program {
  return { types: [], libfuncs: [], statements, functions: [] };
}

function jump(target: number): Statement {
  return { kind: "invocation", libfunc: 0, args: [], branches: [{ target, results: [] }] };
}

function declared(
  entry: number,
  params: readonly (readonly [variable: number, type: number])[] = [],
): FunctionDeclaration {
  return {
    name: "f",
    params: params.map(([variable, type]) => ({ variable, type })),
    returns: [],
    entry,
  };
}

describe("Annotations", () => {
  test("places parameters below fp, the last one nearest, each in the size of its type", () => {
    const annotations = new Annotations(programOf(RETURN));
    const params = [
      [7, 2],
      [8, 0],
      [9, 1],
    ] as const;
    annotations.enter(0, declared(0, params), INFO, undefined);
    const { args } = annotations.take(0, [7, 8, 9]);
    expect(args.map(({ cells }) => cells)).toEqual([
      [deref(fpCell(-5)), deref(fpCell(-4))],
      [],
      [deref(fpCell(-3))],
    ]);
  });

  test("rejects a path past the last statement", () => {
    const annotations = new Annotations(programOf(RETURN));
    expect(() => annotations.enter(0, declared(1), INFO, undefined)).toThrow("does not exist");
  });

  test("allows a statement to be taken once", () => {
    const annotations = new Annotations(programOf(RETURN, RETURN));
    annotations.enter(0, declared(0), INFO, undefined);
    expect(annotations.isReached(0)).toBeTrue();
    annotations.take(0, []);
    expect(annotations.isReached(0)).toBeFalse();
    expect(() => annotations.take(0, [])).toThrow("no path leads to it");
  });

  test("keeps the target of a backward jump, with the variables that it consumed", () => {
    const annotations = new Annotations(programOf(RETURN, jump(0)));
    annotations.enter(0, declared(0, [[7, 1]]), INFO, undefined);
    expect(annotations.take(0, [7]).state.refs.size).toBe(0);
    expect(annotations.take(0, [7]).args).toHaveLength(1);
  });

  test("does not treat a self-jump as a backward jump", () => {
    const annotations = new Annotations(programOf(jump(0)));
    annotations.enter(0, declared(0), INFO, undefined);
    annotations.take(0, []);
    expect(annotations.isReached(0)).toBeFalse();
  });

  test("allows an argument to be taken once", () => {
    const annotations = new Annotations(programOf(RETURN));
    annotations.enter(0, declared(0, [[7, 1]]), INFO, undefined);
    expect(() => annotations.take(0, [7, 7])).toThrow("variable 7 is unknown");
  });
});

test("isSameIntroduction compares all parts of an introduction point", () => {
  const place: IntroductionPoint = { source: 1, destination: 2, output: 3 };
  expect(isSameIntroduction(place, { ...place })).toBeTrue();
  for (const key of ["source", "destination", "output"] as const) {
    expect(isSameIntroduction(place, { ...place, [key]: 9 })).toBeFalse();
  }
});

describe("requireForms", () => {
  const requireForm = (kind: "simple_derefs" | "deferred", cells: Parameters<typeof deref>[0][]) =>
    requireForms(
      {
        signature: { variables: [{ type: 0, reference: { kind } }], apChange: "other" },
        cells: [cells.map(deref)],
        ap: { cells: 0 },
      },
      0,
    );

  test("accepts cells at any offset", () => {
    expect(() => requireForm("simple_derefs", [apCell(-9), fpCell(3)])).not.toThrow();
    expect(() => requireForm("deferred", [apCell(-9)])).not.toThrow();
  });

  test("rejects an output without cells unless it is declared as zero-sized", () => {
    expect(() => requireForm("simple_derefs", [])).toThrow("output 0 is a simple_derefs");
    expect(() => requireForm("deferred", [])).toThrow("output 0 is a deferred");
    const output = { type: 0, reference: { kind: "new_temp_var", index: 0 } } as const;
    const signature = { variables: [output], apChange: "other" } as const;
    const outputs = { signature, cells: [[]], ap: { cells: 0 } };
    expect(() => requireForms(outputs, 1)).toThrow("output 0 is a new_temp_var");
  });

  test("rejects an expression where a cell is declared", () => {
    const output = { type: 0, reference: { kind: "simple_derefs" } } as const;
    const signature = { variables: [output], apChange: "other" } as const;
    const cells = [[{ kind: "immediate", value: 1n } as const]];
    expect(() => requireForms({ signature, cells, ap: { cells: 0 } }, 0)).toThrow("output 0");
  });
});
