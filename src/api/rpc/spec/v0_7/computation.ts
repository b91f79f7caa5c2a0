import type { JsonObject } from "#base/codec/index.ts";
import type { BuiltinName, VmResources } from "#protocol/versions/index.ts";

/** Wire names of the builtins in the specification; other builtins cannot be represented. */
const BUILTINS = {
  range_check: "range_check_builtin_applications",
  pedersen: "pedersen_builtin_applications",
  poseidon: "poseidon_builtin_applications",
  ec_op: "ec_op_builtin_applications",
  ecdsa: "ecdsa_builtin_applications",
  bitwise: "bitwise_builtin_applications",
  keccak: "keccak_builtin_applications",
  segment_arena: "segment_arena_builtin",
} as const satisfies Partial<Record<BuiltinName, string>>;

/** Names of the members of COMPUTATION_RESOURCES that are omitted when zero. */
export const COMPUTATION_MEMBERS: readonly string[] = ["memory_holes", ...Object.values(BUILTINS)];

/** Encodes COMPUTATION_RESOURCES of JSON-RPC 0.7; unused resources are omitted, except steps. */
export function encodeComputation({ steps, memoryHoles, builtins }: VmResources): JsonObject {
  const used = Object.entries(BUILTINS).flatMap(([name, wireName]) => {
    const count = builtins[name as keyof typeof BUILTINS] ?? 0;
    return count === 0 ? [] : [[wireName, count] as const];
  });
  return {
    steps,
    ...(memoryHoles === 0 ? {} : { memory_holes: memoryHoles }),
    ...Object.fromEntries(used),
  };
}
