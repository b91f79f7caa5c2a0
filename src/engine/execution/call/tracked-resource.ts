import { compareNumbers } from "#base/primitives/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";

/** Meter of a call: machine steps, or the gas counter of compiled code. */
export type TrackedResource = "cairo_steps" | "sierra_gas";

/**
 * Determines how a call is metered: by gas from a certain Sierra version on, unless its caller is metered by
 * steps.
 */
export function trackedResourceOf(
  executable: ExecutableClass,
  constants: ProtocolConstants,
  parent: TrackedResource | null,
): TrackedResource {
  if (parent === "cairo_steps") return "cairo_steps";
  if (executable.casm === null) return "cairo_steps";
  const minimum = constants.minSierraVersionForSierraGas;
  return compareNumbers(executable.sierraVersion, minimum) < 0 ? "cairo_steps" : "sierra_gas";
}
