import { fieldKernel } from "./kernel.ts";

/** Arithmetic modulo an odd number below 2^256, in the kernel. */
export class Modulus {
  readonly #modulus: bigint;
  readonly #r2: bigint;

  constructor(modulus: bigint) {
    this.#modulus = modulus;
    this.#r2 = (1n << 512n) % modulus;
  }

  /**
   * Computes base^exponent.
   *
   * @param base - not negative and below the modulus
   * @param exponent - not negative, at most 256 bits
   */
  power(base: bigint, exponent: bigint): bigint {
    return fieldKernel().power(base, exponent, this.#modulus, this.#r2);
  }
}
