import { Felt } from "./felt";

/** Message word permutations of RFC 7693, one row of 16 per round. */
const SIGMA: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11,
  7, 5, 3, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6,
  5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8,
  3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14,
  12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10,
  2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
]);
const IV: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const V: usize = memory.data(64, 8);
const STATE: usize = memory.data(32, 8);
const BLOCK: usize = memory.data(64, 8);
const WORDS: usize = memory.data(32, 8);

/** Number of words in BLOCK and of bytes compressed so far, while felts are absorbed. */
let filled: usize = 0;
let counter: u64 = 0;

/** BLAKE2s (RFC 7693) without key. */
export class Blake2s {
  /** Initial state for a digest of 32 bytes. */
  static init(state: usize): void {
    memory.copy(state, IV, 32);
    store<u32>(state, load<u32>(state) ^ 0x01010020);
  }

  /**
   * Compression function on 8 state words and 16 message words.
   *
   * @param byteCount - message bytes up to the end of this block
   * @param isLast - whether this is the last block
   */
  static compress(state: usize, block: usize, byteCount: u64, isLast: bool): void {
    memory.copy(V, state, 32);
    memory.copy(V + 32, IV, 32);
    store<u64>(V, load<u64>(V, 48) ^ byteCount, 48);
    if (isLast) store<u32>(V, ~load<u32>(V, 56), 56);
    for (let row = SIGMA; row < SIGMA + 160; row += 16) {
      Blake2s.mix(0, 16, 32, 48, block, row);
      Blake2s.mix(4, 20, 36, 52, block, row + 2);
      Blake2s.mix(8, 24, 40, 56, block, row + 4);
      Blake2s.mix(12, 28, 44, 60, block, row + 6);
      Blake2s.mix(0, 20, 40, 60, block, row + 8);
      Blake2s.mix(4, 24, 44, 48, block, row + 10);
      Blake2s.mix(8, 28, 32, 52, block, row + 12);
      Blake2s.mix(12, 16, 36, 56, block, row + 14);
    }
    for (let i: usize = 0; i < 32; i += 4) {
      store<u32>(state + i, load<u32>(state + i) ^ load<u32>(V + i) ^ load<u32>(V + i + 32));
    }
  }

  @inline
  static mix(ia: usize, ib: usize, ic: usize, id: usize, block: usize, sigma: usize): void {
    let a = load<u32>(V + ia);
    let b = load<u32>(V + ib);
    let c = load<u32>(V + ic);
    let d = load<u32>(V + id);
    a = a + b + load<u32>(block + ((<usize>load<u8>(sigma)) << 2));
    d = rotr(d ^ a, 16);
    c = c + d;
    b = rotr(b ^ c, 12);
    a = a + b + load<u32>(block + ((<usize>load<u8>(sigma, 1)) << 2));
    d = rotr(d ^ a, 8);
    c = c + d;
    b = rotr(b ^ c, 7);
    store<u32>(V + ia, a);
    store<u32>(V + ib, b);
    store<u32>(V + ic, c);
    store<u32>(V + id, d);
  }

  /**
   * out = the hash of felts used by compiled class hashes since protocol 0.14.1.
   *
   * A felt below 2^63 becomes two words (high, low); any other becomes eight words, highest first, with the
   * top bit of the first set. The digest is read as a little-endian integer modulo P. Source:
   * starkware-libs/sequencer, blake2s::encode_felts_to_u32s.
   */
  static hashFelts(out: usize, felts: usize, count: u32): void {
    Blake2s.begin();
    Blake2s.absorbFelts(felts, count);
    Blake2s.finish(out);
  }

  /** Starts the hash of {@link hashFelts} for values in several parts. */
  static begin(): void {
    Blake2s.init(STATE);
    filled = 0;
    counter = 0;
  }

  static absorbFelts(felts: usize, count: u32): void {
    for (let i: u32 = 0; i < count; i++) Blake2s.absorbFelt(felts + ((<usize>i) << 5));
  }

  static finish(out: usize): void {
    counter += filled << 2;
    memory.fill(BLOCK + (filled << 2), 0, 64 - (filled << 2));
    Blake2s.compress(STATE, BLOCK, counter, true);
    Felt.reduce(out, STATE);
  }

  static absorbFelt(felt: usize): void {
    const low = load<u64>(felt);
    const isSmall =
      (load<u64>(felt, 8) | load<u64>(felt, 16) | load<u64>(felt, 24) | (low >> 63)) == 0;
    if (isSmall) {
      Blake2s.absorbWord(<u32>(low >> 32));
      Blake2s.absorbWord(<u32>low);
      return;
    }
    memory.copy(WORDS, felt, 32);
    store<u32>(WORDS, load<u32>(WORDS, 28) | 0x80000000, 28);
    for (let i: usize = 32; i > 0; i -= 4) Blake2s.absorbWord(load<u32>(WORDS + i - 4));
  }

  @inline
  static absorbWord(word: u32): void {
    // A full block is compressed only when more data follows: the last block needs its own flag.
    if (filled == 16) {
      counter += 64;
      Blake2s.compress(STATE, BLOCK, counter, false);
      filled = 0;
    }
    store<u32>(BLOCK + (filled << 2), word);
    filled++;
  }
}
