import type { BouncerConfig } from "./chain-config.ts";
import type { IssueList } from "./issue-list.ts";
import { below, type ConfigNode, type MapNode } from "./tree.ts";

type Shape = BouncerConfig["shape"];

/** Limits that only one shape has. */
const OWN_NAMES: Readonly<Record<Shape, readonly string[]>> = {
  steps: ["builtin_count", "gas", "n_steps"],
  sierra_gas: ["l1_gas", "n_txs", "proving_gas", "receipt_l2_gas", "sierra_gas"],
};

/** Required limits of the shape with steps. */
const STEPS_REQUIRED = ["gas", "n_steps", "state_diff_size"];

function capacityOf(node: ConfigNode): MapNode | undefined {
  const capacity = node.kind === "map" ? node.entries.get("block_max_capacity")?.node : undefined;
  return capacity?.kind === "map" ? capacity : undefined;
}

/**
 * Returns the shape of a `bouncer_config` node: limits in steps, or in Sierra gas. The file
 * decides; overriding a single limit does not change it. Without limits in the file, overrides
 * select the shape with steps if they set all its required limits.
 */
export function bouncerShape(node: ConfigNode): Shape {
  const entries = capacityOf(node)?.entries ?? new Map<string, never>();
  const inFile = (name: string): boolean => (entries.get(name)?.line ?? 0) > 0;
  const isWhole = STEPS_REQUIRED.every((name) => entries.has(name));
  if (OWN_NAMES.sierra_gas.some(inFile))
    return OWN_NAMES.steps.some(inFile) && isWhole ? "steps" : "sierra_gas";
  return isWhole || OWN_NAMES.steps.some(inFile) ? "steps" : "sierra_gas";
}

/**
 * Adds an issue for each limit of a `bouncer_config` node that belongs only to the shape that is
 * not in use.
 */
export function refuseOtherShape(node: ConfigNode, path: string, issues: IssueList): void {
  const shape = bouncerShape(node);
  const other = shape === "steps" ? "sierra_gas" : "steps";
  const capacity = capacityOf(node);
  for (const name of OWN_NAMES[other]) {
    const entry = capacity?.entries.get(name);
    if (entry === undefined) continue;
    issues.add(
      below(`${path}.block_max_capacity`, name),
      entry.line,
      `belongs to the shape of block_max_capacity with ${OWN_NAMES[other].join(", ")}; ` +
        `the one in use here has ${OWN_NAMES[shape].join(", ")}`,
    );
  }
}
