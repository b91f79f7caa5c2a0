import type { BuiltinName, VmResources } from "#protocol/versions/index.ts";
import type { VmKernel } from "#kernels/vm/index.ts";

/** Cells of one instance of each builtin. */
export const CELLS_PER_INSTANCE: Readonly<Record<BuiltinName, number>> = {
  output: 1,
  pedersen: 3,
  range_check: 1,
  ecdsa: 2,
  bitwise: 5,
  ec_op: 7,
  keccak: 16,
  poseidon: 6,
  segment_arena: 3,
  range_check96: 1,
  add_mod: 7,
  mul_mod: 7,
};

/** Cells that a segment arena has before its first dictionary. */
export const ARENA_START_CELLS = 3;

/** A builtin of a run and its segment. */
export interface BuiltinSegment {
  readonly name: BuiltinName;
  readonly segment: number;
}

/** Resources of the top frame; builtins that were not used are left out. */
export function measure(
  kernel: VmKernel,
  builtins: readonly BuiltinSegment[],
  memoryHoles: number,
): VmResources {
  const counts: Partial<Record<BuiltinName, number>> = {};
  for (const { name, segment } of builtins) {
    const start = name === "segment_arena" ? ARENA_START_CELLS : 0;
    const cells = Math.max(0, kernel.segmentSize(segment) - start);
    if (cells > 0) counts[name] = Math.ceil(cells / CELLS_PER_INSTANCE[name]);
  }
  return { steps: kernel.steps(), memoryHoles, builtins: counts };
}
