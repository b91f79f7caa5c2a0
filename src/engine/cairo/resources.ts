import type { BuiltinName, VmResources } from "#protocol/versions/index.ts";
import { BUILTINS, type VmKernel } from "#kernels/vm/index.ts";

/** Number of cells in a segment arena before its first dictionary. */
export const ARENA_START_CELLS = 3;

/** Builtin of a run and its segment. */
export interface BuiltinSegment {
  readonly name: BuiltinName;
  readonly segment: number;
}

/** Returns the top frame's resources; unused builtins are omitted. */
export function measure(
  kernel: VmKernel,
  builtins: readonly BuiltinSegment[],
  memoryHoles: number,
): VmResources {
  const counts: Partial<Record<BuiltinName, number>> = {};
  for (const { name, segment } of builtins) {
    const start = name === "segment_arena" ? ARENA_START_CELLS : 0;
    const cells = Math.max(0, kernel.segmentSize(segment) - start);
    if (cells > 0) counts[name] = Math.ceil(cells / BUILTINS[name].cells);
  }
  return { steps: kernel.steps(), memoryHoles, builtins: counts };
}
