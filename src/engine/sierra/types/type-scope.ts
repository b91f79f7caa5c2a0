import { CompileError } from "../compile-error.ts";
import type { GenericArgument, TypeInfo } from "../program/program.ts";
import type { TypeData } from "./concrete-type.ts";

/** Type as seen by types that refer to it: name, arguments, and permitted operations. */
export interface VisibleType {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
  readonly info: TypeInfo;
}

/** Types that a type may refer to: earlier ones, and later ones whose info the program declares. */
export interface TypeScope {
  /** @throws {CompileError} SIERRA_SPECIALIZATION when the type is not in scope */
  resolve(type: number): VisibleType;
}

/** Concrete type that a {@link TypeRule} creates: permitted operations, kind and contained types. */
export interface RuleResult {
  readonly info: TypeInfo;
  readonly data: TypeData;
}

/**
 * Rule of a generic type: creates the type with these arguments.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when the arguments are invalid
 */
export type TypeRule = (scope: TypeScope, args: readonly GenericArgument[]) => RuleResult;

/** Rejects arguments. @throws {CompileError} SIERRA_SPECIALIZATION always */
export function refuseArguments(reason: string): never {
  throw new CompileError("SIERRA_SPECIALIZATION", reason);
}
