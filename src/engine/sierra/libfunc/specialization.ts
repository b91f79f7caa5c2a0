import type { ConcreteType } from "../types/concrete-type.ts";
import type { GenericArgument } from "../program/program.ts";
import type { Libfunc } from "./libfunc.ts";

/** Types of a function's parameters and results. */
export interface FunctionSignature {
  readonly params: readonly number[];
  readonly returns: readonly number[];
}

/** Types and functions of a program, for the specialization of libfuncs. */
export interface SpecializationContext {
  typeOf(id: number): ConcreteType;
  /**
   * Finds the type with these arguments.
   *
   * @throws {CompileError} SIERRA_SPECIALIZATION when the program does not declare it
   */
  find(genericId: string, args?: readonly GenericArgument[]): number;
  functionOf(id: number): FunctionSignature;
}

/**
 * Creates a libfunc from its generic arguments.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when they are invalid
 */
export type Specialize = (
  context: SpecializationContext,
  args: readonly GenericArgument[],
) => Libfunc;

/** Related libfuncs, by generic id. */
export type LibfuncFamily = Readonly<Record<string, Specialize>>;
