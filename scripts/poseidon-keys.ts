import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIELD_PRIME } from "#base/primitives/index.ts";

/** File with the keys, for the kernel's compiler. */
export const POSEIDON_KEYS_PATH = join(
  import.meta.dir,
  "../src/kernels/field/assembly/poseidon-keys.ts",
);
const FULL_ROUNDS = 8;
const PARTIAL_ROUNDS = 83;
const HALF_FULL = FULL_ROUNDS / 2;
const MONTGOMERY = 1n << 256n;

type Triple = readonly [bigint, bigint, bigint];

/** The round keys of Poseidon in the kernel's format, in Montgomery form. */
export interface PoseidonKeys {
  /** Three keys per full round. */
  readonly full: readonly bigint[];
  /** One key per partial round, for the third element; all but the first have 2P added. */
  readonly partial: readonly bigint[];
}

/**
 * Derives the round keys.
 *
 * The published constants are SHA-256("Hades" + i) mod P for i = 0..272, three per round. In the
 * partial rounds only the third element meets the S-box, so those of the first two are carried
 * through the mixing matrix into the next round.
 */
export function poseidonKeys(): PoseidonKeys {
  const full: bigint[] = [];
  const partial: bigint[] = [];
  let carry: Triple = [0n, 0n, 0n];
  for (let round = 0; round < FULL_ROUNDS + PARTIAL_ROUNDS; round++) {
    const [a, b, c] = [0, 1, 2].map((i) => published(3 * round + i));
    const key: Triple = [carry[0] + (a ?? 0n), carry[1] + (b ?? 0n), carry[2] + (c ?? 0n)];
    if (round < HALF_FULL || round >= HALF_FULL + PARTIAL_ROUNDS) {
      full.push(...key.map(montgomery));
      carry = [0n, 0n, 0n];
    } else {
      const surplus = partial.length === 0 ? 0n : 2n * FIELD_PRIME;
      partial.push(montgomery(key[2]) + surplus);
      carry = mix([key[0], key[1], 0n]);
    }
  }
  return { full, partial };
}

function published(index: number): bigint {
  return BigInt(`0x${createHash("sha256").update(`Hades${index}`).digest("hex")}`) % FIELD_PRIME;
}

function mix([a, b, c]: Triple): Triple {
  return [3n * a + b + c, a - b + c, a + b - 2n * c];
}

function montgomery(value: bigint): bigint {
  const product = (value * MONTGOMERY) % FIELD_PRIME;
  return product < 0n ? product + FIELD_PRIME : product;
}

/** The AssemblyScript file that holds the keys. */
export function poseidonKeysSource({ full, partial }: PoseidonKeys): string {
  return `// Made by scripts/poseidon-keys.ts, which says what the numbers are; do not edit.

/** Keys of the eight full rounds, three felts each, in Montgomery form. */
export const FULL_KEYS: usize = memory.data<u64>([
${full.map(limbs).join("\n")}
]);

/** Keys of the 83 partial rounds, one felt each. */
export const PARTIAL_KEYS: usize = memory.data<u64>([
${partial.map(limbs).join("\n")}
]);
`;
}

function limbs(value: bigint): string {
  const words = [0n, 64n, 128n, 192n].map((shift) => BigInt.asUintN(64, value >> shift));
  return `  ${words.map((word) => `0x${word.toString(16).padStart(16, "0")}`).join(", ")},`;
}

if (import.meta.main) writeFileSync(POSEIDON_KEYS_PATH, poseidonKeysSource(poseidonKeys()));
