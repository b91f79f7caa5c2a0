import type { ConcreteType } from "../types/concrete-type.ts";
import type { GenericArgument } from "../program/program.ts";
import type { Libfunc } from "./libfunc.ts";

/** Parameters and results of a function, types. */
export interface FunctionSignature {
  readonly params: readonly number[];
  readonly returns: readonly number[];
}

/** What a libfunc is made from: the types and functions of its program. */
export interface SpecializationContext {
  typeOf(id: number): ConcreteType;
  /**
   * The type with these arguments.
   *
   * @throws {CompileError} SIERRA_SPECIALIZATION when the program does not declare it
   */
  find(genericId: string, args?: readonly GenericArgument[]): number;
  functionOf(id: number): FunctionSignature;
}

/**
 * Makes a libfunc of its generic arguments.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when they do not fit
 */
export type Specialize = (
  context: SpecializationContext,
  args: readonly GenericArgument[],
) => Libfunc;

/** Libfuncs that belong together, by their generic ids. */
export type LibfuncFamily = Readonly<Record<string, Specialize>>;
