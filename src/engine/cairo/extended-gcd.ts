/** gcd(value, modulus), and x in [0, modulus) such that value * x = gcd modulo the modulus. */
export function extendedGcd(value: bigint, modulus: bigint): readonly [gcd: bigint, x: bigint] {
  let [r0, r1] = [modulus, value % modulus];
  let [x0, x1] = [0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [x0, x1] = [x1, x0 - quotient * x1];
  }
  return [r0, ((x0 % modulus) + modulus) % modulus];
}
