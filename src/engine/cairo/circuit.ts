import type { Address } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { extendedGcd } from "./extended-gcd.ts";
import type { HintContext } from "./hint-context.ts";

/** Number of 96-bit limbs in a circuit value. */
const LIMBS = 4;
const LIMB_BITS = 96n;
const LIMB_MASK = (1n << LIMB_BITS) - 1n;

/** Cell layout of an add_mod or mul_mod instance: modulus, values pointer, offsets pointer, count. */
const INSTANCE = { cells: 7, values: 4, offsets: 5, count: 6 } as const;

/** Maximum gates per circuit; far above what a class can hold. */
const MAX_GATES = 1 << 20;

type Memory = Pick<HintContext, "read" | "write">;

function at(address: Address, distance: number): Address {
  return { segment: address.segment, offset: address.offset + distance };
}

/** Gates of one circuit operation; each gate names three values by their offsets. */
class Gates {
  readonly #memory: Memory;
  readonly #values: Address;
  readonly #offsets: Address;
  readonly modulus: bigint;

  constructor(memory: Memory, values: Address, offsets: Address, modulus: bigint) {
    this.#memory = memory;
    this.#values = values;
    this.#offsets = offsets;
    this.modulus = modulus;
  }

  #address(gate: number, operand: number): Address | undefined {
    const offset = this.#memory.read(at(this.#offsets, 3 * gate + operand));
    return typeof offset === "bigint" && offset < 1n << 32n
      ? at(this.#values, Number(offset))
      : undefined;
  }

  read(gate: number, operand: number): bigint | undefined {
    const address = this.#address(gate, operand);
    return address === undefined ? undefined : readValue(this.#memory, address);
  }

  write(gate: number, operand: number, value: bigint): boolean {
    const address = this.#address(gate, operand);
    if (address === undefined) return false;
    for (let i = 0; i < LIMBS; i++) {
      const limb = (value >> (LIMB_BITS * BigInt(i))) & LIMB_MASK;
      if (!this.#memory.write(at(address, i), limb)) return false;
    }
    return true;
  }
}

function readValue(memory: Memory, address: Address): bigint | undefined {
  let value = 0n;
  for (let i = LIMBS - 1; i >= 0; i--) {
    const limb = memory.read(at(address, i));
    if (typeof limb !== "bigint") return undefined;
    value = (value << LIMB_BITS) + limb;
  }
  return value;
}

/** Outcome of one gate: filled, waiting for an input, without an inverse, or impossible. */
type GateOutcome = "filled" | "waiting" | "no_inverse" | "broken";

function fillAdd(gates: Gates, gate: number): GateOutcome {
  const { modulus } = gates;
  const left = gates.read(gate, 0);
  const right = gates.read(gate, 1);
  if (right === undefined) return "waiting";
  if (left !== undefined) {
    return gates.write(gate, 2, (left + right) % modulus) ? "filled" : "broken";
  }
  const result = gates.read(gate, 2);
  if (result === undefined) return "waiting";
  const difference = result + modulus - right;
  const value = ((difference % modulus) + modulus) % modulus;
  return gates.write(gate, 0, value) ? "filled" : "broken";
}

/**
 * Computes forward when both inputs are known; otherwise sets the left one to the inverse of the right one.
 */
function fillMul(gates: Gates, gate: number): GateOutcome {
  const { modulus } = gates;
  const left = gates.read(gate, 0);
  const right = gates.read(gate, 1);
  if (right === undefined) return "broken";
  if (left !== undefined) {
    return gates.write(gate, 2, (left * right) % modulus) ? "filled" : "broken";
  }
  const [gcd, inverse] = extendedGcd(right, modulus);
  if (gcd === 1n) return gates.write(gate, 0, inverse) ? "filled" : "broken";
  // modulus / gcd times the value is zero modulo the modulus, which proves that no inverse exists.
  return gates.write(gate, 0, modulus / gcd) ? "no_inverse" : "broken";
}

/** @returns the first multiplication without an inverse, `mulCount` if none, `undefined` if stuck */
function fillValues(
  add: Gates,
  addCount: number,
  mul: Gates,
  mulCount: number,
): number | undefined {
  let nextAdd = 0;
  let firstFailure = mulCount;
  for (let nextMul = 0; ; nextMul++) {
    for (; nextAdd < addCount; nextAdd++) {
      const outcome = fillAdd(add, nextAdd);
      if (outcome === "broken") return undefined;
      if (outcome === "waiting") break;
    }
    if (nextMul === mulCount) return firstFailure;
    const outcome = fillMul(mul, nextMul);
    if (outcome === "broken") return undefined;
    if (outcome === "no_inverse" && firstFailure === mulCount) firstFailure = nextMul;
  }
}

/**
 * Implements the EvalCircuit hint: computes all values of a circuit and writes the instances of both
 * builtins. mul_mod instances are written only up to the first value without an inverse.
 *
 * @returns false when the circuit is incomplete or memory already holds other values
 */
export function evaluateCircuit(
  memory: Memory,
  addBuiltin: Address,
  addCount: number,
  mulBuiltin: Address,
  mulCount: number,
): boolean {
  if (addCount > MAX_GATES || mulCount > MAX_GATES) return false;
  const values = memory.read(at(mulBuiltin, INSTANCE.values));
  const mulOffsets = memory.read(at(mulBuiltin, INSTANCE.offsets));
  const addOffsets = addCount === 0 ? mulOffsets : memory.read(at(addBuiltin, INSTANCE.offsets));
  const modulus = readValue(memory, mulBuiltin);
  if (typeof values !== "object" || typeof mulOffsets !== "object") return false;
  if (typeof addOffsets !== "object" || modulus === undefined || modulus === 0n) return false;
  const add = new Gates(memory, values, addOffsets, modulus);
  const mul = new Gates(memory, values, mulOffsets, modulus);
  const computed = fillValues(add, addCount, mul, mulCount);
  if (computed === undefined) return false;
  const limbs: Felt[] = [];
  for (let i = 0; i < LIMBS; i++) {
    const limb = memory.read(at(mulBuiltin, i));
    if (typeof limb !== "bigint") return false;
    limbs.push(limb);
  }
  return (
    fillInstances(memory, addBuiltin, addCount, limbs, values, addOffsets) &&
    fillInstances(memory, mulBuiltin, computed, limbs, values, mulOffsets)
  );
}

function fillInstances(
  memory: Memory,
  builtin: Address,
  count: number,
  modulus: readonly Felt[],
  values: Address,
  offsets: Address,
): boolean {
  for (let i = 0; i < count; i++) {
    const instance = at(builtin, i * INSTANCE.cells);
    const isWritten =
      modulus.every((limb, index) => memory.write(at(instance, index), limb)) &&
      memory.write(at(instance, INSTANCE.values), values) &&
      memory.write(at(instance, INSTANCE.offsets), at(offsets, 3 * i)) &&
      memory.write(at(instance, INSTANCE.count), BigInt(count - i));
    if (!isWritten) return false;
  }
  return true;
}
