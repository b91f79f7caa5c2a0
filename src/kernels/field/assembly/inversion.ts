import { Felt } from "./felt";

/** Temporaries of {@link Inversion.find}: the base, its power 2^12 - 1, and the running power. */
const BASE: usize = memory.data(32, 32);
const POWER: usize = memory.data(32, 32);
const SUM: usize = memory.data(32, 32);

/** The inverse by a power. */
export class Inversion {
  /**
   * out = 1 / a, both in Montgomery form; 0 for 0.
   *
   * a^(P - 2) with P - 2 = 2^251 + 2^196 + (2^192 - 1): the run of ones in steps of twelve bits.
   */
  static find(out: usize, a: usize): void {
    Felt.copy(BASE, a);
    Felt.sqrMont(POWER, BASE);
    Felt.mulMont(POWER, POWER, BASE);
    Felt.sqrMont(SUM, POWER);
    Felt.mulMont(POWER, SUM, BASE);
    Felt.sqrMontTimes(SUM, POWER, 3);
    Felt.mulMont(POWER, SUM, POWER);
    Felt.sqrMontTimes(SUM, POWER, 6);
    Felt.mulMont(POWER, SUM, POWER);
    Felt.sqrMontTimes(SUM, BASE, 55);
    Felt.mulMont(SUM, SUM, BASE);
    Felt.sqrMontTimes(SUM, SUM, 4);
    for (let i = 0; i < 16; i++) {
      Felt.sqrMontTimes(SUM, SUM, 12);
      Felt.mulMont(SUM, SUM, POWER);
    }
    Felt.copy(out, SUM);
  }
}
