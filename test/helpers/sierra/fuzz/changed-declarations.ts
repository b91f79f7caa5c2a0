import { LIBFUNCS } from "#engine/sierra/libfuncs/index.ts";
import type { GenericArgument, Program, TypeDeclaration } from "#engine/sierra/program/program.ts";
import { CIRCUIT_TYPES } from "#engine/sierra/types/circuit-types.ts";
import { COMPOSITE_TYPES } from "#engine/sierra/types/composite-types.ts";
import { INTEGER_RANGES } from "#engine/sierra/types/integer-range.ts";
import { PLAIN_TYPES } from "#engine/sierra/types/plain-types.ts";
import { WRAPPER_TYPES } from "#engine/sierra/types/wrapper-types.ts";
import type { Random } from "../../random.ts";
import { type ProgramChange, someSwapped, swapped } from "./changes.ts";
import { movedProgram, moveTo } from "./moved-program.ts";

type Kind = "types" | "libfuncs";

interface Declaration {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
}

const INTEGERS = [...INTEGER_RANGES.keys()];

const TYPE_IDS: readonly string[] = [
  ...[...PLAIN_TYPES, ...WRAPPER_TYPES, ...COMPOSITE_TYPES, ...CIRCUIT_TYPES].map(([id]) => id),
  "Const",
];

const LIBFUNC_IDS: readonly string[] = Object.keys(LIBFUNCS);

/** Edge values of the arguments of types and libfuncs. */
const VALUES = [
  0n,
  1n,
  2n,
  -1n,
  7n,
  128n,
  255n,
  256n,
  32_767n,
  2n ** 31n,
  2n ** 32n,
  2n ** 64n,
].concat([
  2n ** 96n,
  2n ** 127n,
  -(2n ** 127n),
  2n ** 128n - 1n,
  2n ** 128n,
  2n ** 250n,
  2n ** 251n,
]);

/**
 * Random changes of a program's types and libfuncs, by name, for the compiler's fuzzers; all keep
 * the program decodable.
 */
export const DECLARATION_CHANGES: Readonly<Record<string, ProgramChange>> = {
  "two generic arguments swapped": atDeclaration(({ args }, _, random) => ({
    args: someSwapped(args, random),
  })),
  "another generic argument": atDeclaration(({ genericId, args }, all, random) => {
    const at = random.below(args.length);
    const argument = args[at];
    if (argument === undefined) return {};
    const alike = all.flatMap((each) => {
      const other = each.genericId === genericId ? each.args[at] : undefined;
      return other === undefined || Bun.deepEquals(other, argument) ? [] : [other];
    });
    const like = random.below(2) === 0 ? random.pick(alike) : undefined;
    return { args: args.with(at, like ?? nearArgument(argument, random)) };
  }),
  "a generic argument more or less": atDeclaration(({ args }, _, random) => {
    const at = random.below(args.length);
    const argument = args[at];
    if (argument === undefined) return {};
    return {
      args: random.below(2) === 0 ? args.toSpliced(at, 1) : args.toSpliced(at, 0, argument),
    };
  }),
  "another generic id": (program, random) => {
    const kind = anyKind(random);
    return changedAt(program, kind, random, ({ genericId }) => ({
      genericId: likeId(genericId, kind === "types" ? TYPE_IDS : LIBFUNC_IDS, random),
    }));
  },
  "two integer types for each other": (program, random) => {
    const [one = "u8", two = "u16"] = random.shuffled(INTEGERS);
    const exchanged = <T extends Declaration>(declaration: T): T => ({
      ...declaration,
      genericId: exchangedId(declaration.genericId, one, two),
    });
    const types = program.types.map(exchanged);
    return { ...program, types, libfuncs: program.libfuncs.map(exchanged) };
  },
  "another info of a type": (program, random) => {
    const flags = ["storable", "droppable", "duplicatable", "zeroSized"] as const;
    const flag = random.pick(flags) ?? "storable";
    const unstated = random.below(3) === 0;
    const at = random.below(program.types.length);
    const types = program.types.map((type, i): TypeDeclaration => {
      if (i !== at || type.declared === undefined) return type;
      const declared = { ...type.declared, [flag]: !type.declared[flag] };
      return { ...type, declared: unstated ? undefined : declared };
    });
    return { ...program, types };
  },
  "two declarations in each other's place": (program, random) => {
    const kind = anyKind(random);
    const one = random.below(program[kind].length);
    const two = random.below(2) === 0 ? one + 1 : random.below(program[kind].length);
    const order = swapped([...program[kind].keys()], one, two);
    return order && reordered(program, kind, order);
  },
  "libfuncs in another order": (program, random) =>
    reordered(program, "libfuncs", random.shuffled([...program.libfuncs.keys()])),
  "two declarations exchanged": (program, random) => {
    const kind = anyKind(random);
    const items = someSwapped<Declaration>(program[kind], random);
    return items && { ...program, [kind]: items };
  },
  "a declaration dropped": (program, random) => {
    const kind = anyKind(random);
    const all: readonly Declaration[] = program[kind];
    const at = random.below(all.length);
    const alike = [...all.keys()].filter(
      (i) => i !== at && all[i]?.genericId === all[at]?.genericId,
    );
    // References to it mostly move to another one of its kind.
    const other = random.below(4) === 0 ? undefined : random.pick(alike);
    const move = (id: number): number => (id === at ? (other ?? id) : id);
    const moved = movedProgram(program, kind === "types" ? { type: move } : { libfunc: move });
    return reordered(moved, kind, [...all.keys()].toSpliced(at, 1));
  },
  "a declaration doubled": (program, random) => {
    const kind = anyKind(random);
    const at = random.below(program[kind].length);
    const original: Declaration | undefined = program[kind][at];
    if (original === undefined) return undefined;
    const copy = program[kind].length;
    const extended = { ...program, [kind]: [...program[kind], renamedUserType(original)] };
    const move = (id: number): number => (id === at && random.below(2) === 0 ? copy : id);
    return movedProgram(extended, kind === "types" ? { type: move } : { libfunc: move });
  },
};

function anyKind(random: Random): Kind {
  return random.below(3) === 0 ? "types" : "libfuncs";
}

type DeclarationChange = (
  declaration: Declaration,
  all: readonly Declaration[],
  random: Random,
) => { readonly args?: readonly GenericArgument[] | undefined; readonly genericId?: string };

/** Applies a change to a random type or libfunc of a program. */
function atDeclaration(change: DeclarationChange): ProgramChange {
  return (program, random) => changedAt(program, anyKind(random), random, change);
}

function changedAt(
  program: Program,
  kind: Kind,
  random: Random,
  change: DeclarationChange,
): Program | undefined {
  const all: readonly Declaration[] = program[kind];
  const at = random.below(all.length);
  const declaration = all[at];
  if (declaration === undefined) return undefined;
  const { args = declaration.args, genericId = declaration.genericId } = change(
    declaration,
    all,
    random,
  );
  if (args === declaration.args && genericId === declaration.genericId) return undefined;
  return { ...program, [kind]: all.with(at, { ...declaration, args, genericId }) };
}

/** Reorders a program's declarations; those missing in the order are removed. */
function reordered(program: Program, kind: Kind, order: readonly number[]): Program {
  const items: readonly Declaration[] = program[kind];
  const chosen = order.flatMap((index) => items[index] ?? []);
  const move = moveTo(order);
  return movedProgram(
    { ...program, [kind]: chosen },
    kind === "types" ? { type: move } : { libfunc: move },
  );
}

function nearArgument(argument: GenericArgument, random: Random): GenericArgument {
  const step = random.below(2) === 0 ? 1 : -1;
  switch (argument.kind) {
    case "user_type":
      return otherUserType(argument.id);
    case "type":
      return { kind: "type", type: Math.max(0, argument.type + step * (1 + random.below(4))) };
    case "value":
      return { kind: "value", value: nearValue(argument.value, random) };
    case "function":
      return { kind: "function", function: Math.max(0, argument.function + step) };
    case "libfunc":
      return { kind: "libfunc", libfunc: Math.max(0, argument.libfunc + step) };
  }
}

function nearValue(value: bigint, random: Random): bigint {
  switch (random.below(5)) {
    case 0:
      return value + 1n;
    case 1:
      return value - 1n;
    case 2:
      return -value;
    default:
      return random.pick(VALUES) ?? 0n;
  }
}

function otherUserType(id: string): GenericArgument {
  return { kind: "user_type", id: `0x${(BigInt(id) + 1n).toString(16)}` };
}

/** A declaration with other user types, so that both can exist. */
function renamedUserType(declaration: Declaration): Declaration {
  const args = declaration.args.map((each) =>
    each.kind === "user_type" ? otherUserType(each.id) : each,
  );
  return { ...declaration, args };
}

/** Another id, mostly one with the same start or end. */
function likeId(id: string, all: readonly string[], random: Random): string {
  const [first = "", ...rest] = id.split("_");
  const tail = rest.join("_");
  const alike = all.filter(
    (each) => each !== id && (each.startsWith(`${first}_`) || (tail && each.endsWith(`_${tail}`))),
  );
  return (random.below(4) > 0 ? random.pick(alike) : undefined) ?? random.pick(all) ?? id;
}

function exchangedId(id: string, one: string, two: string): string {
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    if (id === from || id.startsWith(`${from}_`)) return to + id.slice(from.length);
  }
  return id;
}
