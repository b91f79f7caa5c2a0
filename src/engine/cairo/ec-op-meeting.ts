import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { extendedGcd } from "./extended-gcd.ts";

/** A point of the Stark curve y^2 = x^3 + x + beta; `undefined` is the one at infinity. */
type Point = readonly [x: Felt, y: Felt] | undefined;

function modulo(value: bigint): Felt {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}

function divide(dividend: bigint, divisor: bigint): Felt {
  return modulo(dividend * extendedGcd(modulo(divisor), FIELD_PRIME)[1]);
}

/** The third point on the line with a slope through two points, mirrored. */
function reflected([x, y]: NonNullable<Point>, otherX: Felt, slope: Felt): NonNullable<Point> {
  const sumX = modulo(slope * slope - x - otherX);
  return [sumX, modulo(slope * (x - sumX) - y)];
}

function doubled(point: Point): Point {
  if (point === undefined || point[1] === 0n) return undefined;
  const [x, y] = point;
  return reflected(point, x, divide(3n * x * x + 1n, 2n * y));
}

/**
 * The partial sum and the doubled point at which the ec_op builtin gives up, because they have the
 * same x coordinate: error texts show them in the place of its inputs.
 *
 * @param p - start of the sum, on the curve
 * @param q - the point that is doubled, on the curve
 */
export function ecOpMeeting(p: Point, q: Point, m: Felt): readonly [sum: Point, double: Point] {
  let sum = p;
  let double = q;
  for (let rest = m; rest > 0n; rest >>= 1n) {
    if (sum === undefined || double === undefined || sum[0] === double[0]) break;
    if ((rest & 1n) === 1n) {
      sum = reflected(sum, double[0], divide(double[1] - sum[1], double[0] - sum[0]));
    }
    double = doubled(double);
  }
  return [sum, double];
}
