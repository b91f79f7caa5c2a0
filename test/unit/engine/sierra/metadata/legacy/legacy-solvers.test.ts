import { describe, expect, test } from "bun:test";
import { LEGACY_SOLVERS } from "#engine/sierra/metadata/legacy/legacy-solvers.ts";
import { computeMetadata, type Metadata } from "#engine/sierra/metadata/metadata.ts";
import { analyzeSierra } from "#test/helpers/sierra/compile-text.ts";
import {
  align,
  buy,
  call,
  fork,
  jump,
  moves,
  refund,
  ret,
  sketchedProgram,
  type StatementSketch,
  withdraw,
  work,
} from "#test/helpers/sierra/flow-sketch.ts";

function legacy(
  sketches: readonly StatementSketch[],
  entries: readonly number[] = [0],
  enforced: Parameters<typeof computeMetadata>[2]["enforced"] = new Map(),
): Metadata {
  const { program, registry } = sketchedProgram(sketches, entries);
  return computeMetadata(program, registry, { enforced, solvers: LEGACY_SOLVERS });
}

// Expected values are computed by hand from the equations of the Sierra compiler.
describe("LEGACY_SOLVERS, before Sierra 1.4.0,", () => {
  test("burn gas and move ap on cheaper paths up to the most expensive", () => {
    const metadata = legacy([fork(4), align, work(3), ret, align, work(1), ret]);
    expect(metadata.functionCosts.get(0)).toEqual(new Map([["Const", 300]]));
    expect(metadata.functionApChanges).toEqual(new Map([[0, 3]]));
    expect(metadata.apVariables).toEqual(new Map([[4, 2]]));
    expect(metadata.gasVariables("Const", 4)).toBe(300 - 120 - 100);
  });

  test("use gas and ap of the called function", () => {
    const metadata = legacy([call(1), work(1), ret, work(4), ret], [0, 3]);
    expect(metadata.functionCosts.get(0)?.get("Const")).toBe(200 + 400 + 100);
    expect(metadata.functionApChanges).toEqual(
      new Map([
        [0, 7],
        [1, 4],
      ]),
    );
  });

  test("burn gas up to a fixed cost", () => {
    const metadata = legacy([fork(4), align, work(1), ret, align, ret], [0], cost(10_000));
    expect(metadata.functionCosts.get(0)?.get("Const")).toBe(10_000);
    expect(metadata.gasVariables("Const", 1)).toBe(9900);
  });

  test("refund nothing for coupons", () => {
    const metadata = legacy([buy(1), refund(1), work(1), ret, work(4), ret], [0, 4]);
    expect(metadata.functionCosts.get(0)?.get("Const")).toBe(400 + 100);
    expect(metadata.gasVariables("Const", 1)).toBe(0);
  });

  test("withdraw builtins only with a table", () => {
    const program = (withTable: boolean): StatementSketch[] => [
      ...[withdraw(4, withTable), align, work(1, { Bitwise: 1 }), ret],
      ...[align, ret],
    ];
    expect(() => legacy(program(false))).toThrow("Bitwise before Sierra 1.4.0: statement 0");
    expect(legacy(program(true)).gasVariables("Bitwise", 0)).toBe(1);
  });

  test("limit a function of fixed cost to the builtins of that cost", () => {
    const program = [work(1, { Pedersen: 2 }), ret];
    expect(() => legacy(program, [0], cost(100))).toThrow(
      "Pedersen before Sierra 1.4.0: function 0",
    );
    const both = new Map([
      [
        0,
        new Map([
          ["Const", 100],
          ["Pedersen", 2],
        ] as const),
      ],
    ]);
    expect(legacy(program, [0], both).functionCosts.get(0)?.get("Pedersen")).toBe(2);
  });

  test("require the same locals and ap base where paths merge", () => {
    const locals = moves({ kind: "at_locals_finalization", cells: 1 });
    const enable = moves({ kind: "enable_tracking" });
    const meeting = (extra: StatementSketch): StatementSketch[] => [
      ...[fork(3), align, jump(5)],
      ...[align, extra],
      ...[work(1), ret],
    ];
    expect(() => legacy(meeting(locals))).toThrow("statement 5 is reached with different locals");
    expect(() => legacy(meeting(enable))).toThrow("with ap known from different places");
  });

  test("reject a statement that only later ones lead to", () => {
    expect(() => legacy([jump(2), ret, work(1), jump(1)])).toThrow(
      "statement 1 is reached from no statement before it",
    );
  });

  test("do not support circuits", () => {
    const text = `
type Input = CircuitInput<0>;
type Outputs = Struct<ut@Tuple, Input>;
type C = Circuit<Outputs>;
type RangeCheck96 = RangeCheck96;
type Accumulator = CircuitInputAccumulator<C>;
libfunc init = init_circuit_data<C>;
libfunc store_check = store_temp<RangeCheck96>;
libfunc store_accumulator = store_temp<Accumulator>;
init([0]) -> ([1], [2]);
store_check([1]) -> ([1]);
store_accumulator([2]) -> ([2]);
return([1], [2]);
test@0([0]: RangeCheck96) -> (RangeCheck96, Accumulator);`;
    expect(() => analyzeSierra(text)).not.toThrow();
    expect(() => analyzeSierra(text, new Map(), LEGACY_SOLVERS)).toThrow(
      "circuits before Sierra 1.4.0",
    );
  });

  test("reject equations that take too long to solve", () => {
    const sketches: StatementSketch[] = [];
    const forks = 1500;
    for (let each = 0; each < forks; each++) {
      sketches.push(fork(3 * forks + 1 + 3 * each), align, work(1));
    }
    sketches.push(ret);
    for (let each = 0; each < forks; each++) sketches.push(align, work(each % 7), ret);
    expect(() => legacy(sketches)).toThrow("take too long to solve");
  });
});

function cost(gas: number) {
  return new Map([[0, new Map([["Const", gas]] as const)]]);
}
