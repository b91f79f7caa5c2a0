const MASK_64 = (1n << 64n) - 1n;

const WORDS = 312;
/** Distance of the word that a step mixes in. */
const DISTANCE = 156;

const UPPER_33 = 0xffff_ffff_8000_0000n;
const LOWER_31 = 0x7fff_ffffn;
const TWIST = 0xb502_6f5a_a966_19e9n;

/**
 * MT19937-64, the 64-bit Mersenne Twister of Nishimura and Matsumoto ("Tables of 64-bit Mersenne Twisters",
 * 2000), `std::mt19937_64` of C++. Not for secrets.
 */
export class MersenneTwister64 {
  readonly #state: bigint[] = [];
  #next = WORDS;

  /** @param seed - 64 bits */
  constructor(seed: bigint) {
    let word = seed & MASK_64;
    for (let i = 1n; this.#state.length < WORDS; i++) {
      this.#state.push(word);
      word = (6_364_136_223_846_793_005n * (word ^ (word >> 62n)) + i) & MASK_64;
    }
  }

  next(): bigint {
    if (this.#next === WORDS) this.#twist();
    let word = this.#word(this.#next++);
    word ^= (word >> 29n) & 0x5555_5555_5555_5555n;
    word ^= (word << 17n) & 0x71d6_7fff_eda6_0000n;
    word ^= (word << 37n) & 0xfff7_eee0_0000_0000n;
    return word ^ (word >> 43n);
  }

  #word(index: number): bigint {
    return this.#state[index % WORDS] as bigint;
  }

  #twist(): void {
    for (let i = 0; i < WORDS; i++) {
      const mixed = (this.#word(i) & UPPER_33) | (this.#word(i + 1) & LOWER_31);
      const odd = (mixed & 1n) === 1n ? TWIST : 0n;
      this.#state[i] = this.#word(i + DISTANCE) ^ (mixed >> 1n) ^ odd;
    }
    this.#next = 0;
  }
}
