import { ConfigError } from "#base/errors/index.ts";
import type { Journal } from "../plan/journal.ts";
import type { Step } from "./step.ts";

/**
 * Requires the addresses of the file to match the plan.
 *
 * @throws {ConfigError} with an issue per edited address
 */
export function requirePlanned(path: string, { addresses }: Journal, steps: readonly Step[]): void {
  const planned = new Map(steps.flatMap((step) => Object.entries(step.addresses)));
  const issues = Object.entries(addresses).flatMap(([name, address]) => {
    const expected = planned.get(name);
    if (expected === address) return [];
    const message =
      expected === undefined
        ? "is not the name of a bootstrap address"
        : `is ${address} there, and ${expected} in the plan`;
    return [{ path: name, line: 0, message }];
  });
  if (issues.length === 0) return;
  const message = `${path} was edited: restore it, or move it away and give --adopt`;
  throw new ConfigError(message, issues);
}

/**
 * Requires everything that the file records as done on one side to exist there.
 *
 * @throws {ConfigError} with the first missing step: the side is another chain, or was reset
 */
export async function requireRecorded(
  path: string,
  { addresses }: Journal,
  steps: readonly Step[],
  side: "L1" | "L2",
): Promise<void> {
  for (const step of steps) {
    const { id, needsL2 } = step;
    const names = Object.keys(step.addresses);
    const isRecorded = names.length > 0 && names.every((name) => name in addresses);
    if (!isRecorded || needsL2 !== (side === "L2") || (await step.isDone())) continue;
    const [variable, chain] = side === "L1" ? ["ETH_RPC", "L1"] : ["ROLLUP_SEQ_URL", "the chain"];
    const way =
      side === "L1"
        ? "for a new L1 move the file away"
        : "for a new chain over the same contracts of L1 move the file away and give --adopt";
    throw new ConfigError(
      `${path} records ${id} as done, and ${names.join(", ")} is not there: ${variable} is of another chain, or ${chain} was reset; ${way}`,
    );
  }
}
