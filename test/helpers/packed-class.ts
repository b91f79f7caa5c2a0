import { gzipSync } from "node:zlib";
import type { PackedLegacyClass } from "#protocol/chain/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";

/** Parts of a packed class. */
export interface PackedParts {
  /** Number of felts of the program. */
  readonly felts: number;
  readonly entryPoints?: number;
  /** Size of the whole class as JSON, unpacked; debug information fills the difference. */
  readonly objectBytes?: number;
  /** Hints by program counter. */
  readonly hints?: Readonly<Record<string, string>>;
}

const TABLES = { CONSTRUCTOR: [], L1_HANDLER: [] };

/** A Cairo 0 class that was never compiled: a program with this number of felts. */
export function packedClass(parts: PackedParts): PackedLegacyClass {
  const sent = sentPackedClass(parts);
  return {
    kind: "packed",
    program: sent.program,
    entryPoints: JSON.stringify(sent.entry_points_by_type),
    abi: JSON.stringify(sent.abi),
  };
}

/** {@link packedClass} in its wire format. */
export function sentPackedClass(parts: PackedParts) {
  const { felts, entryPoints = 1, objectBytes, hints = {} } = parts;
  const entry_points_by_type = {
    ...TABLES,
    EXTERNAL: Array.from({ length: entryPoints }, () => ({ offset: 0, selector: "0x1" })),
  };
  const programOf = (debugInfo: string): string =>
    JSON.stringify({
      prime: hexFromFelt(FIELD_PRIME),
      data: Array.from({ length: felts }, () => "0x0"),
      builtins: [],
      hints: Object.fromEntries(Object.entries(hints).map(([pc, code]) => [pc, [{ code }]])),
      identifiers: {},
      reference_manager: { references: [] },
      debug_info: debugInfo,
    });
  const abi: readonly unknown[] = [];
  const least = JSON.stringify({
    abi,
    entry_points_by_type,
    program: JSON.parse(programOf("")) as unknown,
  }).length;
  const program = programOf("x".repeat(Math.max(0, (objectBytes ?? least) - least)));
  return { program: gzipSync(program).toString("base64"), entry_points_by_type, abi };
}
