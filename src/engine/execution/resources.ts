import type { BuiltinName, LinearResources, VmResources } from "#protocol/versions/index.ts";

/** Machine resources under construction. */
export interface MutableResources extends VmResources {
  steps: number;
  memoryHoles: number;
  readonly builtins: Partial<Record<BuiltinName, number>>;
  blake?: number;
}

/** Builtin, or the Blake2s instruction, which provers count like a builtin. */
export type PrimitiveName = BuiltinName | "blake";

/** Cairo resources that are all zero. */
export const NO_RESOURCES: VmResources = { steps: 0, memoryHoles: 0, builtins: {} };

/** Steps that the operating system spends per segment arena instance; no prover layout has this builtin. */
const STEPS_PER_SEGMENT_ARENA = 10;

/** Creates an empty sum for {@link addResources}. */
export function emptyResources(): MutableResources {
  return { steps: 0, memoryHoles: 0, builtins: {} };
}

/** Adds `times` times `source` to `target`. */
export function addResources(target: MutableResources, source: VmResources, times = 1): void {
  target.steps += source.steps * times;
  target.memoryHoles += source.memoryHoles * times;
  addBuiltins(target.builtins, source.builtins, times);
  if (source.blake !== undefined) target.blake = (target.blake ?? 0) + source.blake * times;
}

/** Adds `times` times the counters of `source` to `target`. */
export function addBuiltins<Name extends PrimitiveName>(
  target: Partial<Record<Name, number>>,
  source: Readonly<Partial<Record<Name, number>>>,
  times = 1,
): void {
  for (const name in source) {
    const primitive = name as Name;
    target[primitive] = (target[primitive] ?? 0) + (source[primitive] ?? 0) * times;
  }
}

/**
 * Adds resources that grow with a length: the constant part `calls` times, plus the linear part for `length`
 * units. Each linear counter is divided by the scale and rounded up.
 */
export function addLinearResources(
  target: MutableResources,
  resources: LinearResources,
  calls: number,
  length: number,
): void {
  addResources(target, resources.constant, calls);
  if (length === 0) return;
  const { perCalldata, calldataScale } = resources;
  const part = (perUnit: number): number => Math.ceil((perUnit * length) / calldataScale);
  target.steps += part(perCalldata.steps);
  target.memoryHoles += part(perCalldata.memoryHoles);
  for (const name in perCalldata.builtins) {
    const builtin = name as BuiltinName;
    const count = part(perCalldata.builtins[builtin] ?? 0);
    target.builtins[builtin] = (target.builtins[builtin] ?? 0) + count;
  }
}

/** Removes counters that are 0, as receipts require. */
export function dropUnused(resources: MutableResources): MutableResources {
  for (const name in resources.builtins) {
    if (resources.builtins[name as BuiltinName] === 0)
      delete resources.builtins[name as BuiltinName];
  }
  if (resources.blake === 0) delete resources.blake;
  return resources;
}

/** Returns the sum of two resource sets. */
export function sumResources(a: VmResources, b: VmResources): MutableResources {
  const result = emptyResources();
  addResources(result, a);
  addResources(result, b);
  return result;
}

/** Steps, including the segment arena's share. */
export function totalSteps(resources: VmResources): number {
  return resources.steps + STEPS_PER_SEGMENT_ARENA * (resources.builtins.segment_arena ?? 0);
}

/** Resources of the operating system's Poseidon chain over `length` felts. */
export function poseidonManyResources(length: number): VmResources {
  const steps =
    Math.floor(length / 10) * 55 + Math.floor((length % 10) / 2) * 18 + (length % 2) * 3 + 21;
  return { steps, memoryHoles: 0, builtins: { poseidon: Math.floor(length / 2) + 1 } };
}
