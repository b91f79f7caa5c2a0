import type { GenericArgument } from "../../program/program.ts";
import { unsupported } from "./types.ts";

/** The two arguments, types. @throws {CompileError} when the arguments are others */
export function typePair(
  args: readonly GenericArgument[],
): readonly [first: number, second: number] {
  const [first, second] = args;
  return args.length === 2 && first?.kind === "type" && second?.kind === "type"
    ? [first.type, second.type]
    : unsupported("two types");
}

/** The two arguments, a type and a number. @throws {CompileError} when the arguments are others */
export function typeAndValue(
  args: readonly GenericArgument[],
): readonly [type: number, value: bigint] {
  const [first, second] = args;
  return args.length === 2 && first?.kind === "type" && second?.kind === "value"
    ? [first.type, second.value]
    : unsupported("a type and a value");
}

/** The two arguments, numbers. @throws {CompileError} when the arguments are others */
export function valuePair(
  args: readonly GenericArgument[],
): readonly [first: bigint, second: bigint] {
  const [first, second] = args;
  return args.length === 2 && first?.kind === "value" && second?.kind === "value"
    ? [first.value, second.value]
    : unsupported("two values");
}
