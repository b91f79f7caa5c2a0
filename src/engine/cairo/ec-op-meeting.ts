import { type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { extendedGcd } from "./extended-gcd.ts";

/** Point of the Stark curve y^2 = x^3 + x + beta; `undefined` is the point at infinity. */
type Point = readonly [x: Felt, y: Felt] | undefined;

function modulo(value: bigint): Felt {
  return ((value % FIELD_PRIME) + FIELD_PRIME) % FIELD_PRIME;
}

function divide(dividend: bigint, divisor: bigint): Felt {
  return modulo(dividend * extendedGcd(modulo(divisor), FIELD_PRIME)[1]);
}

/**
 * Third intersection of the curve with the line of a given slope through two points, mirrored at the x axis.
 */
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
 * Partial sum and doubled point with the same x coordinate, at which the ec_op builtin fails. Error texts
 * show these two instead of its inputs.
 *
 * @param p - initial sum, on the curve
 * @param q - point that is doubled, on the curve
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
