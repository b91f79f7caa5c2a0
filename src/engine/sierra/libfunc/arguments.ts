import type { GenericArgument } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";

/**
 * Checks that a libfunc has no generic arguments.
 *
 * @throws {CompileError} when there are arguments
 */
export function noArguments(args: readonly GenericArgument[]): void {
  if (args.length > 0) refuse("none");
}

/** Returns the only argument, a type. @throws {CompileError} for any other arguments */
export function typeArgument(args: readonly GenericArgument[]): number {
  const [first] = args;
  return args.length === 1 && first?.kind === "type" ? first.type : refuse("one type");
}

/** Returns the only argument, a number. @throws {CompileError} for any other arguments */
export function valueArgument(args: readonly GenericArgument[]): bigint {
  const [first] = args;
  return args.length === 1 && first?.kind === "value" ? first.value : refuse("one value");
}

/** Returns all arguments, which must be types. @throws {CompileError} when one is not */
export function typeArguments(args: readonly GenericArgument[]): number[] {
  return args.map((each) => (each.kind === "type" ? each.type : refuse("types")));
}

/** Creates a type argument. */
export function typeArg(type: number): GenericArgument {
  return { kind: "type", type };
}

function refuse(expected: string): never {
  throw new CompileError("SIERRA_SPECIALIZATION", `expected generic arguments: ${expected}`);
}
