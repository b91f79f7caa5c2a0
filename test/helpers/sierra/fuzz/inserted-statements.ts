import type { Program, Statement, TypeInfo } from "#engine/sierra/program/program.ts";
import { userTypeId } from "#engine/sierra/program/user-type.ts";
import type { Random } from "../../random.ts";
import { newVariable, type ProgramChange, type Spot, spliced } from "./changes.ts";
import { Draft } from "./draft.ts";
import { insertionSpot, typedProgram, variablesAt } from "./typed-program.ts";

/** A variable whose type is known. */
interface Held {
  readonly variable: number;
  readonly type: number;
  readonly info: TypeInfo | undefined;
}

/** Writes statements without a relevant effect at a spot. */
type Insertion = (draft: Draft, spot: Spot, held: Held, random: Random) => void;

/** Edge values of integers and felts. */
const VALUES = [0n, 1n, -1n, 255n, 2n ** 127n, 2n ** 128n, 2n ** 250n, -(2n ** 251n), 2n ** 251n];

const WITHOUT_ARGUMENTS = [
  "branch_align",
  "revoke_ap_tracking",
  "disable_ap_tracking",
  "enable_ap_tracking",
  "finalize_locals",
];

const WITHOUT_VARIABLE: Readonly<Record<string, Insertion>> = {
  "a jump to what follows": (draft, { at }) => draft.call(["jump"], [], [], at + 1),
  "a libfunc without arguments": (draft, _spot, _held, random) =>
    draft.call([random.pick(WITHOUT_ARGUMENTS) ?? "branch_align"]),
  "tracking that ends and begins": (draft) => {
    draft.call(["disable_ap_tracking"]);
    draft.call(["enable_ap_tracking"]);
  },
  "a constant": (draft, _spot, _held, random) => {
    const [value = 0n, variable, felt] = [
      random.pick(VALUES),
      draft.variable(),
      draft.type("felt252"),
    ];
    if (random.below(2) === 0) draft.call(["felt252_const", value], [], [variable]);
    else draft.call(["const_as_immediate", draft.type("Const", felt, value)], [], [variable]);
    if (random.below(2) === 0) draft.call(["store_temp", felt], [variable], [variable]);
    draft.call(["drop", felt], [variable]);
  },
  "a constant in memory": (draft, _spot, _held, random) => {
    const [variable, felt] = [draft.variable(), draft.type("felt252")];
    const constant = draft.type("Const", felt, random.pick(VALUES) ?? 0n);
    draft.call(["const_as_box", constant, BigInt(random.below(2))], [], [variable]);
    draft.call(["drop", draft.type("Box", felt)], [variable]);
  },
  "an array": (draft) => {
    const [variable, felt] = [draft.variable(), draft.type("felt252")];
    const array = draft.type("Array", felt);
    draft.call(["array_new", felt], [], [variable]);
    draft.call(["store_temp", array], [variable], [variable]);
    draft.call(["drop", array], [variable]);
  },
};

const WITH_VARIABLE: Readonly<Record<string, Insertion>> = {
  "a copy that is dropped": (draft, _, { variable, type, info }, random) => {
    if (!isLikely(info?.duplicatable, random)) return;
    const copy = draft.variable();
    draft.call(["dup", type], [variable], [variable, copy]);
    draft.call(["drop", type], [copy]);
  },
  "a copy that is kept": (draft, _, { variable, type, info }, random) => {
    if (!isLikely(info?.duplicatable, random)) return;
    draft.call(["dup", type], [variable], [draft.variable(), variable]);
  },
  "another name": (draft, _, { variable, type }, random) => {
    const other = random.below(3) === 0 ? draft.variable() : variable;
    draft.call(["rename", type], [variable], [other]);
    draft.call(["rename", type], [other], [variable]);
  },
  "a place on the stack": (draft, _, { variable, type }) => {
    draft.call(["store_temp", type], [variable], [variable]);
  },
  "a place of its own": (draft, _, { variable, type }, random) => {
    const place = draft.variable();
    draft.call(["alloc_local", type], [], [place]);
    draft.type("Uninitialized", type);
    if (random.below(2) === 0) draft.call(["finalize_locals"]);
    draft.call(["store_local", type], [place, variable], [variable]);
  },
  "a box around it": (draft, _, { variable, type }) => {
    const boxed = draft.variable();
    const box = draft.type("Box", type);
    draft.call(["into_box", type], [variable], [boxed]);
    draft.call(["store_temp", box], [boxed], [boxed]);
    draft.call(["unbox", type], [boxed], [variable]);
  },
  "a struct around it": (draft, _, { variable, type }, random) => {
    const built = draft.variable();
    const struct = draft.type("Struct", { kind: "user_type", id: userTypeId("Tuple") }, type);
    draft.call(["struct_construct", struct], [variable], [built]);
    if (random.below(2) === 0) draft.call(["store_temp", struct], [built], [built]);
    draft.call(["struct_deconstruct", struct], [built], [variable]);
  },
  "a snapshot": (draft, _, { variable, type, info }) => {
    const snapshot = draft.variable();
    // A copyable type is its own snapshot type.
    const dropped = info?.duplicatable === true ? type : draft.type("Snapshot", type);
    draft.call(["snapshot_take", type], [variable], [variable, snapshot]);
    draft.call(["drop", dropped], [snapshot]);
  },
  "an end": (draft, _, { variable, type, info }, random) => {
    if (!isLikely(info?.droppable, random)) return;
    draft.call(["drop", type], [variable]);
  },
};

/**
 * Random insertions of statements into a program, by name, for the compiler's fuzzers: the program
 * mostly stays valid.
 */
export const STATEMENT_INSERTIONS: Readonly<Record<string, ProgramChange>> = Object.fromEntries(
  Object.entries({ ...WITHOUT_VARIABLE, ...WITH_VARIABLE }).map(([name, insertion]) => [
    name,
    (program, random) => inserted(program, insertion, name in WITH_VARIABLE, random),
  ]),
);

function inserted(
  program: Program,
  insertion: Insertion,
  needsVariable: boolean,
  random: Random,
): Program | undefined {
  const spot = insertionSpot(program, random);
  const typed = typedProgram(program);
  if (spot === undefined || typed === undefined) return undefined;
  const held = random.pick([...variablesAt(typed, spot)]);
  if (needsVariable && held === undefined) return undefined;
  const [variable, type] = held ?? [0, 0];
  const draft = new Draft(program, newVariable(program, spot));
  insertion(draft, spot, { variable, type, info: typed.types[type]?.info }, random);
  if (draft.statements.length === 0) return undefined;
  // A jump to the following statement would lead to itself.
  const isJump = draft.statements.some((each) => targetOf(each) !== undefined);
  const lands = isJump || random.below(2) === 0 ? "behind" : "before";
  return spliced(draft.program, spot.at, 0, draft.statements, lands);
}

/** Whether to apply a change: mostly if it is allowed. */
function isLikely(isAllowed: boolean | undefined, random: Random): boolean {
  return isAllowed === true || random.below(8) === 0;
}

function targetOf(statement: Statement): number | undefined {
  return statement.kind === "return" ? undefined : statement.branches[0]?.target;
}
