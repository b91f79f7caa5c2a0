import { Layout } from "./abi.generated";

/** Constants of step iota, from the LFSR of FIPS 202. */
const ROUND_CONSTANTS: usize = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
  0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
  0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
  0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
]);

const RATE: usize = Layout.KECCAK_BLOCK_BYTES;

const STATE: usize = memory.data(200, 8);

/** Keccak-f[1600] (FIPS 202) and Keccak-256 with the original padding, as used by Ethereum. */
export class Keccak {
  /** out = 32 bytes of Keccak-256 of `length` bytes at `data`. */
  static hash256(out: usize, data: usize, length: usize): void {
    const blocks = length / RATE;
    Keccak.begin();
    Keccak.absorbBlocks(data, blocks);
    Keccak.finish256(out, data + blocks * RATE, length - blocks * RATE);
  }

  /** Starts a hash of data in several parts. */
  static begin(): void {
    memory.fill(STATE, 0, 200);
  }

  static absorbBlocks(data: usize, count: usize): void {
    const end = data + count * RATE;
    for (let at = data; at < end; at += RATE) {
      for (let i: usize = 0; i < RATE; i += 8) {
        store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(at + i));
      }
      Keccak.permute(STATE);
    }
  }

  /** Absorbs the last `length` < 136 bytes and writes the 32 bytes of the hash. */
  static finish256(out: usize, data: usize, length: usize): void {
    for (let i: usize = 0; i < length; i++) {
      store<u8>(STATE + i, load<u8>(STATE + i) ^ load<u8>(data + i));
    }
    store<u8>(STATE + length, load<u8>(STATE + length) ^ 0x01);
    store<u8>(STATE + RATE - 1, load<u8>(STATE + RATE - 1) ^ 0x80);
    Keccak.permute(STATE);
    memory.copy(out, STATE, 32);
  }

  /** The permutation in place on 25 u64 lanes; lane x + 5 y. */
  static permute(state: usize): void {
    let a0 = load<u64>(state);
    let a1 = load<u64>(state, 8);
    let a2 = load<u64>(state, 16);
    let a3 = load<u64>(state, 24);
    let a4 = load<u64>(state, 32);
    let a5 = load<u64>(state, 40);
    let a6 = load<u64>(state, 48);
    let a7 = load<u64>(state, 56);
    let a8 = load<u64>(state, 64);
    let a9 = load<u64>(state, 72);
    let a10 = load<u64>(state, 80);
    let a11 = load<u64>(state, 88);
    let a12 = load<u64>(state, 96);
    let a13 = load<u64>(state, 104);
    let a14 = load<u64>(state, 112);
    let a15 = load<u64>(state, 120);
    let a16 = load<u64>(state, 128);
    let a17 = load<u64>(state, 136);
    let a18 = load<u64>(state, 144);
    let a19 = load<u64>(state, 152);
    let a20 = load<u64>(state, 160);
    let a21 = load<u64>(state, 168);
    let a22 = load<u64>(state, 176);
    let a23 = load<u64>(state, 184);
    let a24 = load<u64>(state, 192);
    for (let round: usize = 0; round < 192; round += 8) {
      const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
      const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
      const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
      const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
      const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
      const d0 = c4 ^ rotl(c1, 1);
      const d1 = c0 ^ rotl(c2, 1);
      const d2 = c1 ^ rotl(c3, 1);
      const d3 = c2 ^ rotl(c4, 1);
      const d4 = c3 ^ rotl(c0, 1);
      const b0 = a0 ^ d0;
      const b10 = rotl(a1 ^ d1, 1);
      const b20 = rotl(a2 ^ d2, 62);
      const b5 = rotl(a3 ^ d3, 28);
      const b15 = rotl(a4 ^ d4, 27);
      const b16 = rotl(a5 ^ d0, 36);
      const b1 = rotl(a6 ^ d1, 44);
      const b11 = rotl(a7 ^ d2, 6);
      const b21 = rotl(a8 ^ d3, 55);
      const b6 = rotl(a9 ^ d4, 20);
      const b7 = rotl(a10 ^ d0, 3);
      const b17 = rotl(a11 ^ d1, 10);
      const b2 = rotl(a12 ^ d2, 43);
      const b12 = rotl(a13 ^ d3, 25);
      const b22 = rotl(a14 ^ d4, 39);
      const b23 = rotl(a15 ^ d0, 41);
      const b8 = rotl(a16 ^ d1, 45);
      const b18 = rotl(a17 ^ d2, 15);
      const b3 = rotl(a18 ^ d3, 21);
      const b13 = rotl(a19 ^ d4, 8);
      const b14 = rotl(a20 ^ d0, 18);
      const b24 = rotl(a21 ^ d1, 2);
      const b9 = rotl(a22 ^ d2, 61);
      const b19 = rotl(a23 ^ d3, 56);
      const b4 = rotl(a24 ^ d4, 14);
      a0 = b0 ^ (~b1 & b2) ^ load<u64>(ROUND_CONSTANTS + round);
      a1 = b1 ^ (~b2 & b3);
      a2 = b2 ^ (~b3 & b4);
      a3 = b3 ^ (~b4 & b0);
      a4 = b4 ^ (~b0 & b1);
      a5 = b5 ^ (~b6 & b7);
      a6 = b6 ^ (~b7 & b8);
      a7 = b7 ^ (~b8 & b9);
      a8 = b8 ^ (~b9 & b5);
      a9 = b9 ^ (~b5 & b6);
      a10 = b10 ^ (~b11 & b12);
      a11 = b11 ^ (~b12 & b13);
      a12 = b12 ^ (~b13 & b14);
      a13 = b13 ^ (~b14 & b10);
      a14 = b14 ^ (~b10 & b11);
      a15 = b15 ^ (~b16 & b17);
      a16 = b16 ^ (~b17 & b18);
      a17 = b17 ^ (~b18 & b19);
      a18 = b18 ^ (~b19 & b15);
      a19 = b19 ^ (~b15 & b16);
      a20 = b20 ^ (~b21 & b22);
      a21 = b21 ^ (~b22 & b23);
      a22 = b22 ^ (~b23 & b24);
      a23 = b23 ^ (~b24 & b20);
      a24 = b24 ^ (~b20 & b21);
    }
    store<u64>(state, a0);
    store<u64>(state, a1, 8);
    store<u64>(state, a2, 16);
    store<u64>(state, a3, 24);
    store<u64>(state, a4, 32);
    store<u64>(state, a5, 40);
    store<u64>(state, a6, 48);
    store<u64>(state, a7, 56);
    store<u64>(state, a8, 64);
    store<u64>(state, a9, 72);
    store<u64>(state, a10, 80);
    store<u64>(state, a11, 88);
    store<u64>(state, a12, 96);
    store<u64>(state, a13, 104);
    store<u64>(state, a14, 112);
    store<u64>(state, a15, 120);
    store<u64>(state, a16, 128);
    store<u64>(state, a17, 136);
    store<u64>(state, a18, 144);
    store<u64>(state, a19, 152);
    store<u64>(state, a20, 160);
    store<u64>(state, a21, 168);
    store<u64>(state, a22, 176);
    store<u64>(state, a23, 184);
    store<u64>(state, a24, 192);
  }
}
