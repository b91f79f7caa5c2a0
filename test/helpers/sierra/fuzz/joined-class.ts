import type {
  GenericArgument,
  LibfuncDeclaration,
  Program,
  TypeDeclaration,
} from "#engine/sierra/program/program.ts";
import type { SierraEntryPoint } from "#protocol/chain/index.ts";
import type { Random } from "../../random.ts";
import { type ClassParts, movedEntryPoints } from "./class-parts.ts";
import { movedDeclaration, movedProgram } from "./moved-program.ts";

/**
 * Joins two classes: common types are declared once, everything else of the second follows that of
 * the first. Entry points of the second with a selector of the first get another one, and its
 * constructor becomes an external function.
 */
export function joinedClass(one: ClassParts, two: ClassParts, random: Random): ClassParts {
  const functionOffset = one.program.functions.length;
  return {
    versions: joinedVersions(one, two),
    program: joinedProgram(one.program, two.program, random),
    entryPoints: joinedEntryPoints(
      one.entryPoints,
      movedEntryPoints(two.entryPoints, (index) => functionOffset + index),
    ),
  };
}

/** Versions of the newer class: an older version may lack libfuncs of the other. */
function joinedVersions(
  { versions: a }: ClassParts,
  { versions: b }: ClassParts,
): readonly bigint[] {
  return (a[1] ?? 0n) > (b[1] ?? 0n) ? a : b;
}

function joinedProgram(one: Program, two: Program, random: Random): Program {
  const functionOffset = one.functions.length;
  const types = joinedTypes(
    one.types,
    two.types.map((type) => movedDeclaration(type, { function: (id) => functionOffset + id })),
  );
  const ownLibfuncs = behindSegments(one, two, random);
  const libfuncMoves = { type: at(types.positions), function: (id: number) => functionOffset + id };
  const libfuncs = joinedLibfuncs(
    one.libfuncs,
    ownLibfuncs.map((libfunc) => movedDeclaration(libfunc, libfuncMoves)),
    random,
  );
  const moved = movedProgram(two, {
    ...libfuncMoves,
    libfunc: at(libfuncs.positions),
    statement: (target) => one.statements.length + target,
  });
  return {
    types: types.declarations,
    libfuncs: libfuncs.declarations,
    statements: [...one.statements, ...moved.statements],
    functions: [...one.functions, ...moved.functions],
  };
}

interface Joined<T> {
  readonly declarations: readonly T[];
  /** Positions of the declarations of the second program. */
  readonly positions: readonly number[];
}

/** Types of both classes; identical ones are declared once. */
function joinedTypes(
  one: readonly TypeDeclaration[],
  two: readonly TypeDeclaration[],
): Joined<TypeDeclaration> {
  const behind = two.map((each) => movedDeclaration(each, { type: (id) => one.length + id }));
  const colors = sameTypes([...one, ...behind]);
  const known = new Map(colors.slice(0, one.length).map((color, position) => [color, position]));
  let next = one.length;
  const positions = colors.slice(one.length).map((color) => known.get(color) ?? next++);
  const added = two.filter((_, index) => (positions[index] ?? 0) >= one.length);
  const moves = { type: at(positions) };
  return {
    declarations: [...one, ...added.map((each) => movedDeclaration(each, moves))],
    positions,
  };
}

/** Numbers of types, equal for identical types; they may refer to later ones. */
function sameTypes(types: readonly TypeDeclaration[]): readonly number[] {
  let colors: readonly number[] = types.map(() => 0);
  for (let count = 0; ;) {
    const numbers = new Map<string, number>();
    const type = at(colors);
    colors = types.map((each) => {
      const key = keyOf(movedDeclaration(each, { type }));
      const color = numbers.get(key) ?? numbers.size;
      numbers.set(key, color);
      return color;
    });
    if (numbers.size === count) return colors;
    count = numbers.size;
  }
}

/** Libfuncs of both classes; equal ones are declared once or, as is allowed, twice. */
function joinedLibfuncs(
  one: readonly LibfuncDeclaration[],
  two: readonly LibfuncDeclaration[],
  random: Random,
): Joined<LibfuncDeclaration> {
  const known = random.below(3) === 0 ? new Map() : new Map(one.map((each, i) => [keyOf(each), i]));
  const declarations = [...one];
  const positions = two.map((each) => {
    const shared: number | undefined = known.get(keyOf(each));
    return shared ?? declarations.push(each) - 1;
  });
  const moves = { libfunc: at(positions) };
  return {
    positions,
    declarations: declarations.map((each, i) =>
      i < one.length ? each : movedDeclaration(each, moves),
    ),
  };
}

/** Constants of the second program, mostly in separate segments. */
function behindSegments(one: Program, two: Program, random: Random): readonly LibfuncDeclaration[] {
  if (random.below(4) === 0) return two.libfuncs;
  const taken = one.libfuncs.flatMap(({ genericId, args: [, segment] }) =>
    genericId === "const_as_box" && segment?.kind === "value" ? [segment.value + 1n] : [],
  );
  const first = taken.reduce((most, each) => (each > most ? each : most), 0n);
  return two.libfuncs.map((libfunc) => withSegment(libfunc, (segment) => first + segment));
}

/** A libfunc with its constant in another segment; other libfuncs are unchanged. */
export function withSegment(
  libfunc: LibfuncDeclaration,
  move: (segment: bigint) => bigint,
): LibfuncDeclaration {
  const [type, segment] = libfunc.args;
  if (libfunc.genericId !== "const_as_box" || type === undefined || segment?.kind !== "value") {
    return libfunc;
  }
  return { ...libfunc, args: [type, { kind: "value", value: move(segment.value) }] };
}

function joinedEntryPoints(
  one: ClassParts["entryPoints"],
  two: ClassParts["entryPoints"],
): ClassParts["entryPoints"] {
  const hasTwo = one.CONSTRUCTOR.length > 0 && two.CONSTRUCTOR.length > 0;
  return {
    EXTERNAL: bySelector(one.EXTERNAL, [...two.EXTERNAL, ...(hasTwo ? two.CONSTRUCTOR : [])]),
    L1_HANDLER: bySelector(one.L1_HANDLER, two.L1_HANDLER),
    CONSTRUCTOR: hasTwo ? one.CONSTRUCTOR : [...one.CONSTRUCTOR, ...two.CONSTRUCTOR],
  };
}

function bySelector(
  one: readonly SierraEntryPoint[],
  two: readonly SierraEntryPoint[],
): readonly SierraEntryPoint[] {
  const taken = new Set(one.map(({ selector }) => selector));
  const moved = two.map((each) => {
    let { selector } = each;
    while (taken.has(selector)) selector++;
    taken.add(selector);
    return { ...each, selector };
  });
  return [...one, ...moved].sort((a, b) => (a.selector < b.selector ? -1 : 1));
}

function at(positions: readonly number[]): (index: number) => number {
  return (index) => positions[index] ?? positions.length;
}

function keyOf({
  genericId,
  args,
}: {
  genericId: string;
  args: readonly GenericArgument[];
}): string {
  const parts = args.map((each) => Object.values(each).map(String).join(":"));
  return `${genericId}<${parts.join()}>`;
}
