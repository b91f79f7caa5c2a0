import type { GenericArgument } from "../../program/program.ts";
import { unsupported } from "./types.ts";

/** Returns the two arguments, which must be types. @throws {CompileError} for any other arguments */
export function typePair(
  args: readonly GenericArgument[],
): readonly [first: number, second: number] {
  const [first, second] = args;
  return args.length === 2 && first?.kind === "type" && second?.kind === "type"
    ? [first.type, second.type]
    : unsupported("two types");
}

/** Returns the two arguments, a type and a number. @throws {CompileError} for any other arguments */
export function typeAndValue(
  args: readonly GenericArgument[],
): readonly [type: number, value: bigint] {
  const [first, second] = args;
  return args.length === 2 && first?.kind === "type" && second?.kind === "value"
    ? [first.type, second.value]
    : unsupported("a type and a value");
}

/** Returns the two arguments, which must be numbers. @throws {CompileError} for any other arguments */
export function valuePair(
  args: readonly GenericArgument[],
): readonly [first: bigint, second: bigint] {
  const [first, second] = args;
  return args.length === 2 && first?.kind === "value" && second?.kind === "value"
    ? [first.value, second.value]
    : unsupported("two values");
}
