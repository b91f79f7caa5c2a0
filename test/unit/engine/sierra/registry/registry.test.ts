import { describe, expect, test } from "bun:test";
import { noArguments, typeArg, typeArgument } from "#engine/sierra/libfunc/arguments.ts";
import type { CircuitInfo } from "#engine/sierra/libfunc/circuit-info.ts";
import type { Libfunc } from "#engine/sierra/libfunc/libfunc.ts";
import type { LibfuncSignature } from "#engine/sierra/libfunc/signature.ts";
import { forked, simpleOutput, straight } from "#engine/sierra/libfunc/signatures.ts";
import type { LibfuncFamily } from "#engine/sierra/libfunc/specialization.ts";
import type {
  Branch,
  FunctionDeclaration,
  Invocation,
  Program,
  Statement,
} from "#engine/sierra/program/program.ts";
import { createRegistry } from "#engine/sierra/registry/registry.ts";
import { declarations } from "../../../../helpers/sierra/declarations.ts";

/** A libfunc of which only the signature is asked. */
function libfunc(signature: LibfuncSignature): Libfunc {
  return {
    signature,
    apChanges: () => [],
    costs: () => [],
    build: (invocation) => invocation.rename([]),
  };
}

const FAMILIES: LibfuncFamily = {
  branch_align: (_, args) => {
    noArguments(args);
    return libfunc(straight([], [], "branch_align"));
  },
  jump: () =>
    libfunc({
      params: [],
      branches: [{ variables: [], apChange: "other" }],
      fallthrough: undefined,
    }),
  drop: (_, args) => libfunc(straight([typeArgument(args)], [], "new_vars_only")),
  into_box: (context, args) => {
    const inner = typeArgument(args);
    return libfunc(straight([inner], [simpleOutput(context.find("Box", args))], "other"));
  },
  is_zero: (_, args) => {
    const type = typeArgument(args);
    return libfunc(
      forked(
        [type],
        { variables: [], apChange: "other" },
        { variables: [simpleOutput(type)], apChange: "other" },
      ),
    );
  },
  call: (context, args) => {
    const [called] = args;
    const { params, returns } = context.functionOf(
      called?.kind === "function" ? called.function : -1,
    );
    return libfunc(straight(params, returns.map(simpleOutput), "other"));
  },
  size_of: (context, args) => {
    context.typeOf(typeArgument(args));
    return libfunc(straight([], [], "other"));
  },
};

const TYPES = declarations({
  felt: ["felt252"],
  box: ["Box", "felt"],
  uninitialized: ["Uninitialized", "felt"],
  five: ["Const", "felt", 5n],
});
const [FELT, UNINITIALIZED] = [0, 2];

const LIBFUNCS: Program["libfuncs"] = [
  { genericId: "branch_align", args: [] },
  { genericId: "drop", args: [typeArg(FELT)] },
  { genericId: "is_zero", args: [typeArg(FELT)] },
  { genericId: "jump", args: [] },
];
const [ALIGN, DROP, IS_ZERO, JUMP] = [0, 1, 2, 3];
const RETURN: Statement = { kind: "return", args: [] };

function invoke(id: number, args: readonly number[], ...branches: readonly Branch[]): Invocation {
  return { kind: "invocation", libfunc: id, args, branches };
}

function on(...results: readonly number[]): Branch {
  return { target: undefined, results };
}

function to(target: number, ...results: readonly number[]): Branch {
  return { target, results };
}

function registry(part: Partial<Program>) {
  const program = { types: TYPES, libfuncs: LIBFUNCS, statements: [], functions: [], ...part };
  return createRegistry(program, FAMILIES, () => CIRCUIT);
}

const CIRCUIT: CircuitInfo = {
  inputCount: 1,
  valueOffsets: new Map(),
  addGates: [],
  mulGates: [],
  valueCount: 3,
};

const INVALID = expect.objectContaining({ code: "SIERRA_INVALID" });
const NOT_MADE = expect.objectContaining({ code: "SIERRA_SPECIALIZATION" });

test("a program's types, sizes, libfuncs and constants by their ids", () => {
  const { types, sizes, libfuncs, constCells } = registry({});
  expect(types.map((type) => type.genericId)).toEqual(["felt252", "Box", "Uninitialized", "Const"]);
  expect(sizes.slice(0, 3)).toEqual([1, 1, 1]);
  expect(libfuncs.map(({ signature }) => signature.params)).toEqual([[], [FELT], [FELT], []]);
  expect(constCells(3)).toEqual([5n]);
});

test("circuits are asked for by the types of circuits", () => {
  const types = declarations({
    felt: ["felt252"],
    input: ["CircuitInput", 0n],
    outputs: ["Struct", "ut@Tuple", "input"],
    circuit: ["Circuit", "outputs"],
  });
  const { circuits } = registry({ types, libfuncs: [] });
  expect([...circuits]).toEqual([[3, CIRCUIT]]);
});

test("circuits that have too many values together are refused", () => {
  const types = declarations({
    input: ["CircuitInput", 0n],
    one: ["Struct", "ut@Tuple", "input"],
    two: ["Struct", "ut@Tuple", "input", "input"],
    a: ["Circuit", "one"],
    b: ["Circuit", "two"],
  });
  const program: Program = { types, libfuncs: [], statements: [], functions: [] };
  const half = { ...CIRCUIT, valueCount: 2 ** 19 };
  expect(createRegistry(program, {}, () => half).circuits.size).toBe(2);
  const more = { ...half, valueCount: half.valueCount + 1 };
  expect(() => createRegistry(program, {}, () => more)).toThrow("type #4: circuits of more than");
});

test("the same type twice is refused", () => {
  const types = declarations({ felt: ["felt252"], a: ["Box", "felt"], b: ["Box", "felt"] });
  expect(() => registry({ types })).toThrow("type #2 is declared before, as #1");
});

describe("libfuncs", () => {
  test("declarations that say the same get the same one", () => {
    const again = { genericId: "drop", args: [typeArg(FELT)] };
    const { libfuncs } = registry({ libfuncs: [...LIBFUNCS, again] });
    expect(libfuncs[4]).toBe(libfuncs[DROP]);
  });

  test.each(["fly", "constructor"])("%s is none", (genericId) => {
    const make = () => registry({ libfuncs: [{ genericId, args: [] }] });
    expect(make).toThrow(`libfunc #0: no libfunc ${genericId}`);
    expect(make).toThrow(NOT_MADE);
  });

  test("one that does not take its arguments is named", () => {
    const make = () => registry({ libfuncs: [...LIBFUNCS, { genericId: "drop", args: [] }] });
    expect(make).toThrow("libfunc #4 (drop): expected generic arguments: one type");
    expect(make).toThrow(NOT_MADE);
  });

  test("types that they need are found by id and arguments, or must be declared", () => {
    const { libfuncs } = registry({ libfuncs: [{ genericId: "into_box", args: [typeArg(FELT)] }] });
    expect(libfuncs[0]?.signature.branches[0]?.variables).toMatchObject([{ type: 1 }]);
    const none = { genericId: "into_box", args: [typeArg(1)] };
    expect(() => registry({ libfuncs: [none] })).toThrow("the program declares no type Box<t1>");
    const missing = { genericId: "size_of", args: [typeArg(9)] };
    expect(() => registry({ libfuncs: [missing] })).toThrow("the program declares no type #9");
  });

  test("functions that they name must be declared", () => {
    const call = { genericId: "call", args: [{ kind: "function", function: 0 } as const] };
    const program = {
      libfuncs: [call],
      statements: [RETURN],
      functions: [functionOf([FELT, 1], [1], 0)],
    };
    expect(registry(program).libfuncs[0]?.signature.params).toEqual([FELT, 1]);
    expect(() => registry({ ...program, functions: [] })).toThrow("no function #0");
  });
});

describe("functions", () => {
  test("begin at a statement, and take and give what can be stored", () => {
    const statements = [RETURN];
    const good = functionOf([FELT], [FELT], 0);
    expect(() => registry({ statements, functions: [good] })).not.toThrow();
  });

  test.each([
    ["begins after the end", functionOf([], [], 1)],
    ["takes what is not stored", functionOf([UNINITIALIZED], [], 0)],
    ["gives what is not stored", functionOf([], [UNINITIALIZED], 0)],
    ["takes a type that is not there", functionOf([9], [], 0)],
  ])("refused: one that %s", (_, declaration) => {
    expect(() => registry({ statements: [RETURN], functions: [declaration] })).toThrow(INVALID);
  });
});

function functionOf(
  params: readonly number[],
  returns: readonly number[],
  entry: number,
): FunctionDeclaration {
  return {
    name: "f",
    params: params.map((type, variable) => ({ type, variable })),
    returns,
    entry,
  };
}

describe("statements", () => {
  test("branches lead forward to aligned places, a jump also back", () => {
    const statements = [
      invoke(IS_ZERO, [0], on(), to(3, 1)),
      invoke(ALIGN, [], on()),
      invoke(JUMP, [], to(1)),
      invoke(ALIGN, [], on()),
      RETURN,
    ];
    expect(() => registry({ statements })).not.toThrow();
  });

  test.each<[string, string, readonly Statement[]]>([
    ["a libfunc that is not there", "no libfunc #9", [invoke(9, [], on()), RETURN]],
    ["an argument too few", "0 arguments, expected 1", [invoke(DROP, [], on()), RETURN]],
    ["an argument too many", "2 arguments, expected 1", [invoke(DROP, [0, 1], on()), RETURN]],
    ["a branch too few", "1 branches, expected 2", [invoke(IS_ZERO, [0], on()), RETURN]],
    ["a result too many", "branch 0 must have 0 results", [invoke(DROP, [0], on(1)), RETURN]],
    [
      "a result too few",
      "branch 1 must have 1 results",
      [invoke(IS_ZERO, [0], on(), to(2)), invoke(ALIGN, [], on()), RETURN],
    ],
    ["a jump that leads on", "branch 0 falls through", [invoke(JUMP, [], on()), RETURN]],
    [
      "a jump where it should lead on",
      "branch 0 falls through",
      [invoke(DROP, [0], to(1)), RETURN],
    ],
    ["leading on after the last statement", "jumps out", [RETURN, invoke(DROP, [0], on())]],
    ["a jump beyond the last statement", "jumps out", [invoke(JUMP, [], to(2)), RETURN]],
    [
      "a branch back",
      "statement #1: a branch jumps back to #0",
      [
        invoke(ALIGN, [], on()),
        invoke(IS_ZERO, [0], on(), to(0, 1)),
        invoke(ALIGN, [], on()),
        RETURN,
      ],
    ],
    [
      "a branch to a place without alignment",
      "statement #1: not a branch_align, although a branch of #0 leads to it",
      [
        invoke(IS_ZERO, [0], on(), to(2, 1)),
        invoke(DROP, [0], on()),
        invoke(ALIGN, [], on()),
        RETURN,
      ],
    ],
    [
      "two branches to the same place",
      "statement #0: branches to #1, as #0 does",
      [invoke(IS_ZERO, [0], on(), to(1, 1)), invoke(ALIGN, [], on()), RETURN],
    ],
    [
      "branches of two statements to the same place",
      "statement #2: branches to #4, as #0 does",
      [
        invoke(IS_ZERO, [0], on(), to(4, 1)),
        invoke(ALIGN, [], on()),
        invoke(IS_ZERO, [0], on(), to(4, 1)),
        invoke(ALIGN, [], on()),
        invoke(ALIGN, [], on()),
        RETURN,
      ],
    ],
  ])("refused: %s", (_, message, statements) => {
    const make = () => registry({ statements });
    expect(make).toThrow(message);
    expect(make).toThrow(INVALID);
  });
});
