import type { Address, CellValue, VmKernel } from "#kernels/vm/index.ts";
import type { BuiltinSegment } from "./resources.ts";

const CELLS = 7;
const LIMBS = 4;
const LIMB_BITS = 96n;
/** Instances checked per check of the cancel flag. */
const PART_INSTANCES = 256;

interface Instance {
  readonly limbs: readonly bigint[];
  readonly modulus: bigint;
  readonly values: Address;
  readonly offsets: Address;
  readonly count: number;
}

/** Failed check, with its error text. */
class Problem {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function at(address: Address, distance: number): Address {
  return { segment: address.segment, offset: address.offset + distance };
}

function text(address: Address): string {
  return `${address.segment}:${address.offset}`;
}

/**
 * Checks all instances of add_mod or mul_mod: the chain (same modulus and values, consecutive offsets and
 * counts), and a op b = c modulo p.
 *
 * @returns the text of the first failure in the wording of cairo-vm 3.2.0
 */
export function checkModBuiltin(kernel: VmKernel, builtin: BuiltinSegment): string | undefined {
  const count = Math.ceil(kernel.segmentSize(builtin.segment) / CELLS);
  let previous: Instance | undefined;
  for (let i = 0; i < count; i++) {
    if (i % PART_INSTANCES === 0) kernel.pause();
    const instance = readInstance(kernel, builtin, i);
    if (instance instanceof Problem) return instance.text;
    const problem =
      (previous === undefined ? undefined : checkChain(builtin, previous, instance)) ??
      checkOperation(kernel, builtin, instance, i);
    if (problem !== undefined) return problem;
    previous = instance;
  }
  if (previous !== undefined && previous.count !== 1) {
    return `${builtin.name}_builtin: prev_inputs.n != batch_size Got: prev_inputs.n=${previous.count}, batch_size=1`;
  }
  return undefined;
}

function readInstance(
  kernel: VmKernel,
  builtin: BuiltinSegment,
  index: number,
): Instance | Problem {
  const start: Address = { segment: builtin.segment, offset: index * CELLS };
  const cells = kernel.readMany(start, CELLS);
  const values = pointer(cells[4], at(start, 4));
  if (values instanceof Problem) return values;
  const offsets = pointer(cells[5], at(start, 5));
  if (offsets instanceof Problem) return offsets;
  const count = integer(cells[6], at(start, 6));
  if (count instanceof Problem) return count;
  if (count < 1n) return new Problem(`${builtin.name}_builtin: Expected n >= 1. Got: ${count}.`);
  const value = readValue(kernel, builtin, start);
  if (value instanceof Problem) return value;
  return { ...value, values, offsets, count: Number(count) };
}

function pointer(cell: CellValue, address: Address): Address | Problem {
  if (cell === undefined) return new Problem(`Unknown memory cell at address ${text(address)}`);
  if (typeof cell === "object") return cell;
  return new Problem(`Expected relocatable at address ${text(address)}`);
}

function integer(cell: CellValue, address: Address): bigint | Problem {
  if (cell === undefined) return new Problem(`Unknown memory cell at address ${text(address)}`);
  if (typeof cell === "bigint") return cell;
  return new Problem(`Expected integer at address ${text(address)}`);
}

function readValue(
  kernel: VmKernel,
  builtin: BuiltinSegment,
  address: Address,
): { readonly limbs: readonly bigint[]; readonly modulus: bigint } | Problem {
  const cells = kernel.readMany(address, LIMBS);
  const limbs: bigint[] = [];
  let value = 0n;
  for (const [index, cell] of cells.entries()) {
    const place = text(at(address, index));
    if (cell === undefined) {
      return new Problem(
        `${builtin.name}_builtin: Missing value at address ${text(at(address, LIMBS))}.`,
      );
    }
    if (typeof cell !== "bigint") return new Problem(`Expected integer at address ${place}`);
    if (cell >> LIMB_BITS !== 0n) {
      return new Problem(
        `Expected integer at address ${place} to be smaller than 2^96. Got: ${cell}.`,
      );
    }
    limbs.push(cell);
    value += cell << (LIMB_BITS * BigInt(index));
  }
  return { limbs, modulus: value };
}

function checkChain(
  builtin: BuiltinSegment,
  previous: Instance,
  instance: Instance,
): string | undefined {
  if (previous.count <= 1) return undefined;
  const name = `${builtin.name}_builtin`;
  const differing = instance.limbs.findIndex((limb, index) => limb !== previous.limbs[index]);
  if (differing >= 0) {
    return (
      `${name}: inputs.p_values[i] != prev_inputs.p_values[i]. Got: i=${differing}, ` +
      `inputs.p_values[i]=${instance.limbs[differing]}, ` +
      `prev_inputs.p_values[i]=${previous.limbs[differing]}`
    );
  }
  if (text(instance.values) !== text(previous.values)) {
    return (
      `${name}: inputs.values_ptr != prev_inputs.values_ptr. Got: ` +
      `inputs.values_ptr=${text(instance.values)}, prev_inputs.values_ptr=${text(previous.values)}`
    );
  }
  if (text(instance.offsets) !== text(at(previous.offsets, 3))) {
    return (
      `${name}: inputs.offsets_ptr != prev_inputs.offsets_ptr + 3 * batch_size. Got: ` +
      `inputs.offsets_ptr=${text(instance.offsets)}, ` +
      `prev_inputs.offsets_ptr=${text(previous.offsets)}, batch_size=1`
    );
  }
  if (instance.count !== previous.count - 1) {
    return (
      `${name}: inputs.n != prev_inputs.n - batch_size. Got: ` +
      `inputs.n=${instance.count}, prev_inputs.n=${previous.count}, batch_size=1`
    );
  }
  return undefined;
}

function checkOperation(
  kernel: VmKernel,
  builtin: BuiltinSegment,
  instance: Instance,
  index: number,
): string | undefined {
  const operands: bigint[] = [];
  for (let i = 0; i < 3; i++) {
    const place = at(instance.offsets, i);
    const offset = integer(kernel.read(place), place);
    if (offset instanceof Problem) return offset.text;
    const value = readValue(kernel, builtin, at(instance.values, Number(offset)));
    if (value instanceof Problem) return value.text;
    operands.push(value.modulus);
  }
  const [a = 0n, b = 0n, c = 0n] = operands;
  const { modulus } = instance;
  const isMul = builtin.name === "mul_mod";
  const full = isMul ? a * b : a + b;
  const bound = isMul ? 1n << 384n : 2n;
  const isReduced = full < bound * modulus;
  const result = isReduced ? full : full - (bound - 1n) * modulus;
  if (modulus !== 0n && result % modulus === c % modulus) return undefined;
  return (
    `${builtin.name}_builtin: Expected a ${isMul ? "*" : "+"} b == c (mod p). Got: ` +
    `instance=${index}, batch=0, p=${modulus}, a=${a}, b=${b}, c=${c}.`
  );
}
