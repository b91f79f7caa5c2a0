import { BootstrapError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { CLASSES } from "../l2/classes.ts";
import type { L2Reader } from "../l2/l2-reader.ts";
import { genesisContracts } from "../plan/genesis.ts";
import type { BootstrapPlan } from "../plan/plan.ts";
import type { BootstrapSettings } from "../settings/read-settings.ts";
import { step } from "./l2-steps.ts";
import type { Step } from "./step.ts";

/** Dependencies of {@link genesisStep}. */
export interface GenesisStepDeps {
  readonly plan: BootstrapPlan;
  readonly settings: BootstrapSettings;
  readonly l2: L2Reader;
}

/**
 * Creates the step that replaces all L2 transactions on a chain whose genesis section has the contracts. It
 * sends nothing, and compares the chain with the plan.
 *
 * @param addresses - the contracts' entries in the address file
 */
export function genesisStep(
  { plan, settings, l2 }: GenesisStepDeps,
  addresses: Readonly<Record<string, string>>,
): Step {
  const contracts = genesisContracts(plan, settings);
  return {
    ...step("l2-genesis", "L2: the contracts of the genesis section", "l2", addresses),
    async isDone() {
      for (const { address, name, cells } of contracts) {
        const found = await l2.classAt(address);
        if (found === undefined) return false;
        if (found !== CLASSES[name].classHash) {
          throw different(`${hexFromFelt(address)} has class ${hexFromFelt(found)}, not ${name}`);
        }
        for (const { key, value } of cells) {
          const stored = await l2.storageAt(address, key);
          if (stored === value) continue;
          const place = `storage ${hexFromFelt(key)} of ${name} ${hexFromFelt(address)}`;
          throw different(`${place} is ${hexFromFelt(stored)}, not ${hexFromFelt(value)}`);
        }
      }
      return true;
    },
    act() {
      const message =
        "the chain was started without the contracts of its genesis section: start a new one with the file that --plan --genesis wrote, by --chain-config-path";
      return Promise.reject(new BootstrapError("BOOTSTRAP_GENESIS", message));
    },
  };
}

function different(what: string): BootstrapError {
  return new BootstrapError(
    "BOOTSTRAP_OTHER_CONTRACT",
    `the chain's genesis is not the one of the plan: ${what}. The file of --genesis was edited, or is of another plan: write it again, and start a new chain with it`,
  );
}
