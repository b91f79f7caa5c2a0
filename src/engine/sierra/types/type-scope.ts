import { CompileError } from "../compile-error.ts";
import type { GenericArgument, TypeInfo } from "../program/program.ts";
import type { TypeData } from "./concrete-type.ts";

/** A type as others that are made with it see it: its name, its arguments, what may be done with it. */
export interface SeenType {
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
  readonly info: TypeInfo;
}

/** Types that a type can be made with: those before it, and later ones whose info the program states. */
export interface TypeScope {
  /** @throws {CompileError} SIERRA_SPECIALIZATION when the type is not to be seen */
  see(type: number): SeenType;
}

/** What the rule of a generic type tells of a type. */
export interface MadeType {
  readonly info: TypeInfo;
  readonly data: TypeData;
}

/**
 * The rule of a generic type: what becomes of it with these arguments.
 *
 * @throws {CompileError} SIERRA_SPECIALIZATION when it takes no such arguments
 */
export type TypeRule = (scope: TypeScope, args: readonly GenericArgument[]) => MadeType;

/** Refuses arguments. @throws {CompileError} SIERRA_SPECIALIZATION always */
export function refuseArguments(reason: string): never {
  throw new CompileError("SIERRA_SPECIALIZATION", reason);
}
