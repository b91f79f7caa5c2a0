import { sha256 } from "#protocol/crypto/index.ts";
import { bytesFromFelt, type Felt, FIELD_PRIME } from "#base/primitives/index.ts";
import { addressText } from "../failure-text.ts";
import { type LegacyHintContext, RANGE_CHECK_BOUND } from "./hint-context.ts";
import { HintFailed } from "./hint-failure.ts";
import type { HintName } from "./hint-texts.ts";
import { type HintFunction, integerSqrt } from "./integer-hints.ts";
import { fieldSqrt } from "./field-sqrt.ts";

const LOW_128 = RANGE_CHECK_BOUND - 1n;

/** Coefficient of the Stark curve y^2 = x^3 + x + BETA. */
const BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;

const POINT_ATTEMPTS = 100;

/** Copy loops keep the number of remaining rounds in the scope variable `n`. */
function continueLoop(name: string): HintFunction {
  return (context) => {
    const left = (context.scopes.get("n") + FIELD_PRIME - 1n) % FIELD_PRIME;
    context.scopes.set("n", left);
    context.set(name, left > 0n ? 1n : 0n);
  };
}

/** Limbs of a Uint256. */
function limbs(context: LegacyHintContext, name: string): readonly [low: Felt, high: Felt] {
  const base = context.addressOf(name);
  return [context.member(name, "low", base, 0), context.member(name, "high", base, 1)];
}

function packed(context: LegacyHintContext, name: string): bigint {
  const [low, high] = limbs(context, name);
  return (high << 128n) + low;
}

function setUint256(context: LegacyHintContext, name: string, value: bigint): void {
  const base = context.addressOf(name);
  context.write(base, value & LOW_128);
  context.write(base, (value >> 128n) % FIELD_PRIME, 1);
}

/** Whether a sum of felts is at least 2^128, as 0 or 1. */
function overflows(...terms: readonly Felt[]): Felt {
  const sum = terms.reduce((total, term) => (total + term) % FIELD_PRIME, 0n);
  return sum >= RANGE_CHECK_BOUND ? 1n : 0n;
}

function uint256Add(context: LegacyHintContext): void {
  const [aLow, aHigh] = limbs(context, "a");
  const [bLow, bHigh] = limbs(context, "b");
  const carry = overflows(aLow, bLow);
  context.set("carry_high", overflows(aHigh, bHigh, carry));
  context.set("carry_low", carry);
}

function uint256Divide(context: LegacyHintContext): void {
  const a = packed(context, "a");
  const divisor = packed(context, "div");
  if (divisor === 0n) throw new HintFailed("Attempted to divide by zero");
  setUint256(context, "quotient", a / divisor);
  setUint256(context, "remainder", a % divisor);
}

function addSignature(context: LegacyHintContext): void {
  const r = context.felt("signature_r");
  const s = context.felt("signature_s");
  const pointer = context.pointer("ecdsa_ptr");
  context.requireBuiltin("ecdsa");
  const { signatures } = context;
  if (pointer.segment !== signatures.segment) {
    throw new HintFailed(
      "Signature hint must point to the signature builtin segment, " +
        `not ${addressText(pointer)}.`,
    );
  }
  if (pointer.offset % 2 !== 0) {
    throw new HintFailed(
      `Signature hint must point to the public key cell, not ${addressText(pointer)}.`,
    );
  }
  signatures.add(pointer.offset, r, s);
}

function point(context: LegacyHintContext, name: string): readonly [x: Felt, y: Felt] {
  const base = context.addressOf(name);
  return [context.member(name, "x", base, 0), context.member(name, "y", base, 1)];
}

/** Writes a point derived from all inputs. Any point works: the program corrects the sum that it shifts. */
function randomPoint(context: LegacyHintContext): void {
  const [px, py] = point(context, "p");
  const [qx, qy] = point(context, "q");
  const m = context.felt("m");
  const seed = sha256(Buffer.concat([px, py, m, qx, qy].map((felt) => bytesFromFelt(felt))));
  const input = new Uint8Array(41);
  input.set(seed.subarray(1), 0);
  for (let i = 0; i < POINT_ATTEMPTS; i++) {
    input[31] = i;
    const x = BigInt(`0x${sha256(input).toHex()}`) % FIELD_PRIME;
    const y = fieldSqrt((x * x * x + x + BETA) % FIELD_PRIME);
    if (y === undefined) continue;
    const isNegative = ((seed[0] ?? 0) & 1) === 1 && y !== 0n;
    const target = context.addressOf("s");
    context.write(target, x);
    context.write(target, isNegative ? FIELD_PRIME - y : y, 1);
    return;
  }
  throw new HintFailed("random_ec_point: Could not find a point on the curve.");
}

/** Implementations of the Cairo 0 library hints on scopes, structs and builtins, by hint name. */
export const STRUCTURE_HINTS: Readonly<Partial<Record<HintName, HintFunction>>> = {
  VM_ENTER_SCOPE: (context) => {
    context.scopes.enter();
  },
  VM_EXIT_SCOPE: (context) => {
    context.scopes.exit();
  },
  MEMCPY_ENTER_SCOPE: (context) => {
    context.scopes.enter({ n: context.felt("len") });
  },
  MEMCPY_CONTINUE_COPYING: continueLoop("continue_copying"),
  MEMSET_ENTER_SCOPE: (context) => {
    context.scopes.enter({ n: context.felt("n") });
  },
  MEMSET_CONTINUE_LOOP: continueLoop("continue_loop"),
  UINT256_ADD: uint256Add,
  UINT256_ADD_LOW: (context) => {
    const [aLow] = limbs(context, "a");
    const [bLow] = limbs(context, "b");
    context.set("carry_low", overflows(aLow, bLow));
  },
  UINT256_UNSIGNED_DIV_REM: uint256Divide,
  UINT256_SIGNED_NN: (context) => {
    const base = context.addressOf("a");
    const high = context.member("a", "high", base, 1);
    context.setAp(high < 1n << 127n ? 1n : 0n);
  },
  UINT256_SQRT: (context) => {
    const root = integerSqrt(packed(context, "n"));
    if (root > LOW_128) {
      throw new HintFailed(`assert 0 <= ${root} < 2 ** 128`);
    }
    setUint256(context, "root", root);
  },
  VERIFY_ECDSA_SIGNATURE: addSignature,
  RANDOM_EC_POINT: randomPoint,
};
