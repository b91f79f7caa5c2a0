import { type Call, call, invoke, type Json, type Scenario, scenario, type Step } from "./kit.ts";
import { l1Handler } from "./l1-handler.ts";
import { machinePrograms } from "./machine-programs.ts";

/** Sierra versions that are metered by steps, or by gas. */
const METERINGS = { steps: "1.6.0", gas: "1.7.0" } as const;

const CALLDATA = ["0x5", "0x6", "0x7"];
const NO_CALLS: readonly Call[] = [];

/**
 * Creates the scenario of handwritten programs, each once metered by steps and once by gas, and of
 * accounts that count Blake2s instructions.
 */
export function machineScenario(protocolVersion: string): Scenario {
  const contracts: Record<string, Json> = {};
  const classes: Json[] = [];
  const calls: Step[] = [];
  const accounts: { readonly address: string; readonly metering: string }[] = [];
  for (const [index, { name, functions, kind }] of machinePrograms().entries()) {
    for (const [position, [metering, version]] of Object.entries(METERINGS).entries()) {
      const number = index * 2 + position;
      const classHash = `0x${(0xc0de00 + number).toString(16)}`;
      const address = `0x${(0xadd000 + number).toString(16)}`;
      classes.push({
        class_hash: classHash,
        casm: `classes/${name}.casm.json`,
        sierra_version: version,
      });
      contracts[address] = { class_hash: classHash };
      // Its calldata lacks even the sender.
      if (kind === "L1_HANDLER")
        calls.push(l1Handler(`${name}, by ${metering}`, address, "run", []));
      else if ("run" in functions)
        calls.push(call(`${name}, by ${metering}`, address, "run", CALLDATA));
      else accounts.push({ address, metering });
    }
  }
  const invokes = accounts.map(({ address, metering }) =>
    invoke(`an account that counts Blake, by ${metering}`, address, "0x1", NO_CALLS),
  );
  const base = scenario(
    `machine_${protocolVersion.replaceAll(".", "_")}`,
    "Programs written by hand: what compiled code never does, and Blake2s instructions.",
    protocolVersion,
    contracts,
    [...invokes, ...calls],
    { richAddresses: accounts.map(({ address }) => address) },
  );
  return { ...base, classes: [...(base.classes as readonly Json[]), ...classes] };
}
