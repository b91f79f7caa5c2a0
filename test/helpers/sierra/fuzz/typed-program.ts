import { CompileError } from "#engine/sierra/compile-error.ts";
import type { LibfuncSignature } from "#engine/sierra/libfunc/signature.ts";
import type { SpecializationContext } from "#engine/sierra/libfunc/specialization.ts";
import { LIBFUNCS } from "#engine/sierra/libfuncs/index.ts";
import type { LibfuncDeclaration, Program } from "#engine/sierra/program/program.ts";
import { specializationContext } from "#engine/sierra/registry/libfuncs.ts";
import { longId } from "#engine/sierra/registry/long-id.ts";
import type { ConcreteType } from "#engine/sierra/types/concrete-type.ts";
import { concreteTypes } from "#engine/sierra/types/concrete-types.ts";
import { anySpot, type Spot } from "./changes.ts";
import type { Random } from "../../random.ts";

/** A program with information about its types. */
export interface TypedProgram {
  readonly program: Program;
  readonly types: readonly ConcreteType[];
  readonly context: SpecializationContext;
  /** Cache of signatures. */
  readonly signatures: Map<LibfuncDeclaration, LibfuncSignature | undefined>;
}

/** A program with its types; `undefined` if they are invalid. */
export function typedProgram(program: Program): TypedProgram | undefined {
  return unlessRefused(() => {
    const types = concreteTypes(program.types);
    const ids = new Map(types.map(({ id, genericId, args }) => [longId(genericId, args), id]));
    return {
      program,
      types,
      context: specializationContext(program, types, ids),
      signatures: new Map(),
    };
  });
}

/** Parameters and results of a libfunc; `undefined` if it is invalid. */
export function signatureOf(
  { context, signatures }: TypedProgram,
  declaration: LibfuncDeclaration,
): LibfuncSignature | undefined {
  const { genericId, args } = declaration;
  if (!Object.hasOwn(LIBFUNCS, genericId)) return undefined;
  if (signatures.has(declaration)) return signatures.get(declaration);
  const signature = unlessRefused(() => LIBFUNCS[genericId]?.(context, args).signature);
  signatures.set(declaration, signature);
  return signature;
}

/** Variables before a statement, with their types, as far as they are known. */
export function variablesAt(typed: TypedProgram, { begin, at }: Spot): ReadonlyMap<number, number> {
  const { program } = typed;
  const owner = program.functions.find(({ entry }) => entry === begin);
  const first = new Map(owner?.params.map(({ variable, type }) => [variable, type]));
  const states = new Map<number, Map<number, number>>([[begin, first]]);
  for (let index = begin; index < at; index++) {
    const state = states.get(index);
    const statement = program.statements[index];
    if (state === undefined || statement?.kind !== "invocation") continue;
    const declaration = program.libfuncs[statement.libfunc];
    const signature = declaration && signatureOf(typed, declaration);
    for (const variable of statement.args) state.delete(variable);
    states.delete(index);
    statement.branches.forEach(({ target = index + 1, results }, branch) => {
      if (states.has(target)) return;
      const next = statement.branches.length === 1 ? state : new Map(state);
      results.forEach((variable, i) => {
        const type = signature?.branches[branch]?.variables[i]?.type;
        if (type !== undefined) next.set(variable, type);
      });
      states.set(target, next);
    });
  }
  return states.get(at) ?? new Map<number, number>();
}

/** A spot for an insertion: after a `branch_align`, which must stay the target of its branch. */
export function insertionSpot(program: Program, random: Random): Spot | undefined {
  const spot = anySpot(program, random);
  if (spot === undefined) return undefined;
  const { genericId } = program.libfuncs[spot.invocation.libfunc] ?? {};
  return genericId === "branch_align" ? { ...spot, at: spot.at + 1 } : spot;
}

function unlessRefused<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof CompileError) return undefined;
    throw error;
  }
}
