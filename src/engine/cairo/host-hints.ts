import { evaluateCircuit } from "./circuit.ts";
import { extendedGcd } from "./extended-gcd.ts";
import type { HintContext } from "./hint-context.ts";
import type { HostHint } from "./hint-encoder.ts";

const LOW_128 = (1n << 128n) - 1n;

/**
 * Executes a hint that is too rare for the kernel.
 *
 * @returns false when an operand is invalid or a cell holds another value: the run must end
 */
export function executeHostHint(hint: HostHint, context: HintContext): boolean {
  switch (hint.name) {
    case "Uint512DivModByUint256":
      return divideUint512(context);
    case "U256InvModN":
      return invertModulo(context);
    case "EvalCircuit":
      return evaluate(context);
  }
}

/** Combines integer operands, 128-bit limbs with the least significant one first, into one number. */
function limbs(context: HintContext, ...names: readonly string[]): bigint | undefined {
  let value = 0n;
  for (const [index, name] of names.entries()) {
    const limb = context.operand(name);
    if (typeof limb !== "bigint") return undefined;
    value += limb << BigInt(128 * index);
  }
  return value;
}

/** Writes a number as 128-bit limbs, least significant first. */
function writeLimbs(context: HintContext, value: bigint, ...names: readonly string[]): boolean {
  return names.every((name, index) =>
    context.writeOperand(name, (value >> BigInt(128 * index)) & LOW_128),
  );
}

function divideUint512(context: HintContext): boolean {
  const dividend = limbs(context, "dividend0", "dividend1", "dividend2", "dividend3");
  const divisor = limbs(context, "divisor0", "divisor1");
  if (dividend === undefined || divisor === undefined || divisor === 0n) return false;
  return (
    writeLimbs(context, dividend / divisor, "quotient0", "quotient1", "quotient2", "quotient3") &&
    writeLimbs(context, dividend % divisor, "remainder0", "remainder1")
  );
}

/**
 * Implements U256InvModN. If r is the inverse of b modulo n: writes r, k = (r b - 1) / n, and flag 0.
 * Otherwise writes g > 1 that divides both, and the two quotients. For n = 1 it writes g = 1, b, 1.
 */
function invertModulo(context: HintContext): boolean {
  const b = limbs(context, "b0", "b1");
  const n = limbs(context, "n0", "n1");
  if (b === undefined || n === undefined || n === 0n) return false;
  const write = (s: bigint, t: bigint): boolean =>
    writeLimbs(context, s, "s_or_r0", "s_or_r1") && writeLimbs(context, t, "t_or_k0", "t_or_k1");
  if (n === 1n) return write(b, 1n) && writeLimbs(context, 1n, "g0_or_no_inv", "g1_option");
  const [gcd, inverse] = extendedGcd(b, n);
  if (gcd !== 1n) {
    // An even divisor is replaced by 2, so that the low limb is never zero.
    const g = gcd % 2n === 0n ? 2n : gcd;
    return write(b / g, n / g) && writeLimbs(context, g, "g0_or_no_inv", "g1_option");
  }
  return write(inverse, (inverse * b - 1n) / n) && writeLimbs(context, 0n, "g0_or_no_inv");
}

function evaluate(context: HintContext): boolean {
  const addMods = context.operand("n_add_mods");
  const mulMods = context.operand("n_mul_mods");
  const addBuiltin = context.operand("add_mod_builtin");
  const mulBuiltin = context.operand("mul_mod_builtin");
  if (typeof addMods !== "bigint" || typeof mulMods !== "bigint") return false;
  if (typeof addBuiltin !== "object" || typeof mulBuiltin !== "object") return false;
  return evaluateCircuit(context, addBuiltin, Number(addMods), mulBuiltin, Number(mulMods));
}
