import { hash } from "starknet";

/** `[ap] = [[fp - 5]]; [ap + 1] = 0; [ap + 2] = [fp - 3]; ret`: returns no data. Source: Cairo whitepaper, §4. */
const EMPTY_FUNCTION = [
  "0x480280007ffb8000",
  "0x480680017fff8000",
  "0x0",
  "0x480a7ffd7fff8000",
  "0x208b7fff7fff7ffe",
];

/** Parts of a made-up Cairo 0 class that differ from the default. */
export interface LegacyParts {
  readonly hints?: object;
  readonly data?: readonly string[];
}

/**
 * A Cairo 0 class in the format of its compiler, with debug information. Its functions accept
 * anything, do nothing and return nothing.
 */
export function legacyClassText(
  functions: readonly string[],
  { hints = {}, data = EMPTY_FUNCTION }: LegacyParts = {},
): string {
  const selectors = functions.map((name) => hash.getSelectorFromName(name));
  const EXTERNAL = selectors
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .map((selector) => ({ offset: "0x0", selector }));
  const program = {
    attributes: [],
    builtins: [],
    compiler_version: "0.11.2",
    data,
    debug_info: { file_contents: {}, instruction_locations: {} },
    hints,
    identifiers: {},
    main_scope: "__main__",
    prime: "0x800000000000011000000000000000000000000000000000000000000000001",
    reference_manager: { references: [] },
  };
  const entryPoints = { CONSTRUCTOR: [], EXTERNAL, L1_HANDLER: [] };
  return JSON.stringify({ abi: [], entry_points_by_type: entryPoints, program }, null, 4);
}
