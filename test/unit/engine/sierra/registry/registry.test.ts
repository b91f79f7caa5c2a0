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

/** Libfunc of which only the signature is used. */
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

test("createRegistry lists types, sizes, libfuncs and constants by id", () => {
  const { types, sizes, libfuncs, constCells } = registry({});
  expect(types.map((type) => type.genericId)).toEqual(["felt252", "Box", "Uninitialized", "Const"]);
  expect(sizes.slice(0, 3)).toEqual([1, 1, 1]);
  expect(libfuncs.map(({ signature }) => signature.params)).toEqual([[], [FELT], [FELT], []]);
  expect(constCells(3)).toEqual([5n]);
});

test("createRegistry creates a circuit for each circuit type", () => {
  const types = declarations({
    felt: ["felt252"],
    input: ["CircuitInput", 0n],
    outputs: ["Struct", "ut@Tuple", "input"],
    circuit: ["Circuit", "outputs"],
  });
  const { circuits } = registry({ types, libfuncs: [] });
  expect([...circuits]).toEqual([[3, CIRCUIT]]);
});

test("createRegistry rejects circuits with too many values in total", () => {
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

test("createRegistry rejects a duplicate type", () => {
  const types = declarations({ felt: ["felt252"], a: ["Box", "felt"], b: ["Box", "felt"] });
  expect(() => registry({ types })).toThrow("type #2 is declared before, as #1");
});

describe("createRegistry: libfuncs", () => {
  test("equal declarations share one instance", () => {
    const again = { genericId: "drop", args: [typeArg(FELT)] };
    const { libfuncs } = registry({ libfuncs: [...LIBFUNCS, again] });
    expect(libfuncs[4]).toBe(libfuncs[DROP]);
  });

  test.each(["fly", "constructor"])("rejects %s", (genericId) => {
    const make = () => registry({ libfuncs: [{ genericId, args: [] }] });
    expect(make).toThrow(`libfunc #0: no libfunc ${genericId}`);
    expect(make).toThrow(NOT_MADE);
  });

  test("names a libfunc with invalid arguments", () => {
    const make = () => registry({ libfuncs: [...LIBFUNCS, { genericId: "drop", args: [] }] });
    expect(make).toThrow("libfunc #4 (drop): expected generic arguments: one type");
    expect(make).toThrow(NOT_MADE);
  });

  test("finds required types by id and arguments and rejects missing ones", () => {
    const { libfuncs } = registry({ libfuncs: [{ genericId: "into_box", args: [typeArg(FELT)] }] });
    expect(libfuncs[0]?.signature.branches[0]?.variables).toMatchObject([{ type: 1 }]);
    const none = { genericId: "into_box", args: [typeArg(1)] };
    expect(() => registry({ libfuncs: [none] })).toThrow("the program declares no type Box<t1>");
    const missing = { genericId: "size_of", args: [typeArg(9)] };
    expect(() => registry({ libfuncs: [missing] })).toThrow("the program declares no type #9");
  });

  test("finds the called functions and rejects missing ones", () => {
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

describe("createRegistry: functions", () => {
  test("accepts a function with storable parameters and results", () => {
    const statements = [RETURN];
    const good = functionOf([FELT], [FELT], 0);
    expect(() => registry({ statements, functions: [good] })).not.toThrow();
  });

  test.each([
    ["starts after the last statement", functionOf([], [], 1)],
    ["takes a value that is not storable", functionOf([UNINITIALIZED], [], 0)],
    ["returns a value that is not storable", functionOf([], [UNINITIALIZED], 0)],
    ["takes a missing type", functionOf([9], [], 0)],
  ])("rejects one that %s", (_, declaration) => {
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

describe("createRegistry: statements", () => {
  test("accepts forward branches to aligned statements, and jumps backward", () => {
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
    ["a missing libfunc", "no libfunc #9", [invoke(9, [], on()), RETURN]],
    ["a missing argument", "0 arguments, expected 1", [invoke(DROP, [], on()), RETURN]],
    ["an extra argument", "2 arguments, expected 1", [invoke(DROP, [0, 1], on()), RETURN]],
    ["a missing branch", "1 branches, expected 2", [invoke(IS_ZERO, [0], on()), RETURN]],
    ["an extra result", "branch 0 must have 0 results", [invoke(DROP, [0], on(1)), RETURN]],
    [
      "a missing result",
      "branch 1 must have 1 results",
      [invoke(IS_ZERO, [0], on(), to(2)), invoke(ALIGN, [], on()), RETURN],
    ],
    ["a jump that falls through", "branch 0 falls through", [invoke(JUMP, [], on()), RETURN]],
    [
      "a jump instead of a fallthrough",
      "branch 0 falls through",
      [invoke(DROP, [0], to(1)), RETURN],
    ],
    ["a fallthrough after the last statement", "jumps out", [RETURN, invoke(DROP, [0], on())]],
    ["a jump beyond the last statement", "jumps out", [invoke(JUMP, [], to(2)), RETURN]],
    [
      "a backward branch",
      "statement #1: a branch jumps back to #0",
      [
        invoke(ALIGN, [], on()),
        invoke(IS_ZERO, [0], on(), to(0, 1)),
        invoke(ALIGN, [], on()),
        RETURN,
      ],
    ],
    [
      "a branch to a statement without alignment",
      "statement #1: not a branch_align, although a branch of #0 leads to it",
      [
        invoke(IS_ZERO, [0], on(), to(2, 1)),
        invoke(DROP, [0], on()),
        invoke(ALIGN, [], on()),
        RETURN,
      ],
    ],
    [
      "two branches to the same statement",
      "statement #0: branches to #1, as #0 does",
      [invoke(IS_ZERO, [0], on(), to(1, 1)), invoke(ALIGN, [], on()), RETURN],
    ],
    [
      "branches of two statements to the same statement",
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
  ])("rejects %s", (_, message, statements) => {
    const make = () => registry({ statements });
    expect(make).toThrow(message);
    expect(make).toThrow(INVALID);
  });
});
