import type { Libfunc } from "../../libfunc/libfunc.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import type { IntegerRange } from "../../types/concrete-type.ts";
import { type CellOperation, deferredOperation } from "../integers/deferred-operation.ts";
import { typePair } from "../shared/argument-pairs.ts";
import { boundedIntType, integerRangeOf } from "../shared/integer-ranges.ts";
import { nonZeroOf, unsupported } from "../shared/types.ts";
import { maybeNonZero } from "./non-zero.ts";

/** Specializes `bounded_int_add`: adds two integers; the result type contains all possible sums. */
export function add(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  return operation(context, args, "sum", (a, b) => ({
    lower: a.lower + b.lower,
    upper: a.upper + b.upper - 1n,
  }));
}

/**
 * Specializes `bounded_int_sub`: subtracts two integers; the result type contains all possible
 * differences.
 */
export function sub(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  return operation(context, args, "difference", (a, b) => ({
    lower: a.lower - (b.upper - 1n),
    upper: a.upper - b.lower,
  }));
}

/**
 * Specializes `bounded_int_mul`: multiplies two integers; the result type contains all possible
 * products. The product of two non-zero types is non-zero.
 */
export function mul(context: SpecializationContext, args: readonly GenericArgument[]): Libfunc {
  const [left, right] = typePair(args);
  const lhs = maybeNonZero(context, left);
  const rhs = maybeNonZero(context, right);
  if (lhs.isNonZero !== rhs.isNonZero) unsupported("two types that both exclude zero, or neither");
  const result = boundedIntType(context, productRange(lhs.range, rhs.range));
  const type = lhs.isNonZero ? nonZeroOf(context, result) : result;
  return deferredOperation(left, right, type, "product");
}

function operation(
  context: SpecializationContext,
  args: readonly GenericArgument[],
  name: CellOperation,
  resultOf: (lhs: IntegerRange, rhs: IntegerRange) => IntegerRange,
): Libfunc {
  const [left, right] = typePair(args);
  const range = resultOf(integerRangeOf(context, left), integerRangeOf(context, right));
  return deferredOperation(left, right, boundedIntType(context, range), name);
}

/** Range of all products; with negative factors, either bound may come from any pair of bounds. */
function productRange(a: IntegerRange, b: IntegerRange): IntegerRange {
  const products = [a.lower, a.upper - 1n].flatMap((x) => [x * b.lower, x * (b.upper - 1n)]);
  const [first = 0n, ...others] = products;
  let lower = first;
  let upper = first;
  for (const product of others) {
    if (product < lower) lower = product;
    if (product > upper) upper = product;
  }
  return { lower, upper: upper + 1n };
}
