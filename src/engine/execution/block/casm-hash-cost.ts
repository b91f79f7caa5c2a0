import type {
  BytecodeSegmentLengths,
  CasmClass,
  CasmEntryPoint,
  ExecutableClass,
  LegacyProgram,
} from "#protocol/chain/index.ts";
import type { VmResources } from "#protocol/versions/index.ts";
import {
  addResources,
  emptyResources,
  type MutableResources,
  poseidonManyResources,
} from "../resources.ts";

/** Machine resources plus the Blake opcode, which is not a builtin. */
export interface HashCost extends VmResources {
  readonly blake: number;
}

/** Felt counts by size of their encoding: Blake takes 2 words for those below 2^63, 8 for others. */
interface FeltCounts {
  readonly small: number;
  readonly large: number;
}

interface HashRule {
  readonly stepsPerSegment: number;
  readonly stepsPerEntryPoint: number;
  cost(felts: FeltCounts): HashCost;
}

const SMALL_FELT_BOUND = 1n << 63n;
const WORDS_PER_BLAKE_MESSAGE = 16;

/** Costs of the Poseidon ("v1") and Blake ("v2") hashes of compiled code in the operating system. */
const RULES: Readonly<Record<"poseidon" | "blake", HashRule>> = {
  poseidon: {
    stepsPerSegment: 18,
    stepsPerEntryPoint: 27 + 3,
    cost: ({ small, large }) => ({ ...poseidonManyResources(small + large), blake: 0 }),
  },
  blake: {
    stepsPerSegment: 30,
    stepsPerEntryPoint: 31 + 3,
    cost: blakeCost,
  },
};

function blakeCost({ small, large }: FeltCounts): HashCost {
  const words = large * 8 + small * 2;
  if (words === 0) return { steps: 167, memoryHoles: 0, builtins: {}, blake: 0 };
  const fullMessages = Math.floor(words / WORDS_PER_BLAKE_MESSAGE);
  const base = words % WORDS_PER_BLAKE_MESSAGE === 0 ? 216 : 192;
  const steps = Math.max(large * 50 + small * 18 + base - fullMessages * 26, 0);
  return {
    steps,
    memoryHoles: 0,
    builtins: { range_check: small + large + 3 },
    blake: Math.ceil(words / WORDS_PER_BLAKE_MESSAGE),
  };
}

class CostSum implements HashCost {
  readonly #resources: MutableResources = emptyResources();
  blake = 0;

  get steps(): number {
    return this.#resources.steps;
  }

  get memoryHoles(): number {
    return this.#resources.memoryHoles;
  }

  get builtins(): VmResources["builtins"] {
    return this.#resources.builtins;
  }

  addSteps(steps: number): void {
    this.#resources.steps += steps;
  }

  add(cost: HashCost): void {
    addResources(this.#resources, cost);
    this.blake += cost.blake;
  }
}

/** Steps per Pedersen hash; the operating system hashes Cairo 0 classes with Pedersen. */
const STEPS_PER_PEDERSEN = 8;
const CELLS_PER_LEGACY_ENTRY_POINT = 2;

/** Resources that the operating system needs to hash a class; Cairo 0 classes have only one hash form. */
export function classHashCost(executable: ExecutableClass, hash: "poseidon" | "blake"): HashCost {
  return executable.casm === null
    ? legacyHashCost(executable.program)
    : casmHashCost(executable.casm, hash);
}

function legacyHashCost({ entryPoints, builtins, bytecode }: LegacyProgram): HashCost {
  const { CONSTRUCTOR, EXTERNAL, L1_HANDLER } = entryPoints;
  const count = CONSTRUCTOR.length + EXTERNAL.length + L1_HANDLER.length;
  // One more for the hash of program and ABI as text.
  const hashes = CELLS_PER_LEGACY_ENTRY_POINT * count + builtins.length + bytecode.length + 1;
  return {
    steps: STEPS_PER_PEDERSEN * hashes,
    memoryHoles: 0,
    builtins: { pedersen: hashes },
    blake: 0,
  };
}

const costs = new WeakMap<CasmClass, { poseidon?: HashCost; blake?: HashCost }>();

/**
 * Estimated resources that the operating system needs to hash an executed class. The estimate is part of the
 * protocol, because it decides when a block is full.
 *
 * Source: `casm_hash_estimation.rs` of the reference engine.
 */
export function casmHashCost(casm: CasmClass, hash: "poseidon" | "blake"): HashCost {
  let known = costs.get(casm);
  if (known === undefined) costs.set(casm, (known = {}));
  return (known[hash] ??= estimate(casm, RULES[hash]));
}

function estimate(casm: CasmClass, rule: HashRule): HashCost {
  const sum = new CostSum();
  sum.addSteps(54);
  for (const table of ["L1_HANDLER", "EXTERNAL", "CONSTRUCTOR"] as const) {
    addEntryPoints(sum, casm.entryPoints[table], rule);
  }
  addBytecode(sum, casm, rule);
  sum.add(rule.cost({ large: 5, small: 0 }));
  return sum;
}

function addEntryPoints(sum: CostSum, table: readonly CasmEntryPoint[], rule: HashRule): void {
  sum.addSteps(21);
  for (const { builtins } of table) {
    sum.addSteps(rule.stepsPerEntryPoint);
    sum.add(rule.cost({ large: builtins.length, small: 0 }));
  }
  sum.add(rule.cost({ large: 2 * table.length, small: table.length }));
}

function addBytecode(sum: CostSum, casm: CasmClass, rule: HashRule): void {
  const lengths = casm.bytecodeSegmentLengths ?? casm.bytecode.length;
  sum.addSteps(4);
  if (typeof lengths === "number") {
    sum.add(rule.cost(countFelts(casm, 0, lengths)));
    return;
  }
  sum.addSteps(15);
  let offset = 0;
  for (const segment of lengths) {
    const length = lengthOf(segment);
    sum.addSteps(rule.stepsPerSegment);
    sum.add(rule.cost(countFelts(casm, offset, offset + length)));
    offset += length;
  }
  sum.add(rule.cost({ large: lengths.length, small: lengths.length }));
}

function lengthOf(segment: BytecodeSegmentLengths): number {
  if (typeof segment === "number") return segment;
  return segment.reduce<number>((total, inner) => total + lengthOf(inner), 0);
}

function countFelts({ bytecode }: CasmClass, start: number, end: number): FeltCounts {
  let small = 0;
  for (let i = start; i < end; i++) if ((bytecode[i] as bigint) < SMALL_FELT_BOUND) small++;
  return { small, large: end - start - small };
}
