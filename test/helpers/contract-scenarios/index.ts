import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { accountScenario } from "./account.ts";
import { erc20Scenario } from "./erc20.ts";
import type { Scenario } from "./kit.ts";
import { machineScenario } from "./machine.ts";
import { machineClass, machinePrograms } from "./machine-programs.ts";
import { tokenBridgeScenario } from "./token-bridge.ts";
import { universalDeployerScenario } from "./universal-deployer.ts";

/** Folder of the scenarios over the shipped contracts and of their results. */
export const SCENARIO_FOLDER = resolve(import.meta.dir, "../../fixtures/oracle");

/** Protocol versions of the scenarios, metered by steps and by gas. */
export const PROTOCOL_VERSIONS = ["0.13.2", "0.14.0", "0.14.4"] as const;

/** All scenarios over the shipped contracts, for the class hashes of the committed index. */
export function contractScenarios(): Scenario[] {
  return PROTOCOL_VERSIONS.flatMap((version) => [
    accountScenario(version),
    erc20Scenario(version),
    tokenBridgeScenario(version),
    universalDeployerScenario(version),
    machineScenario(version),
  ]);
}

/** The text of a scenario file. */
export function scenarioText(scenario: Scenario): string {
  return `${JSON.stringify(scenario, null, 1)}\n`;
}

/**
 * Writes every scenario; with `oracle`, the path of the reference engine's program, also that
 * engine's results (`NAME.result.json`).
 *
 * @returns the names written
 */
export function writeScenarios(oracle: string | undefined): string[] {
  writeMachineClasses();
  return contractScenarios().map((scenario) => {
    const { name } = scenario;
    const path = join(SCENARIO_FOLDER, `${name}.json`);
    writeFileSync(path, scenarioText(scenario));
    if (oracle !== undefined) {
      const run = Bun.spawnSync([oracle, path]);
      if (run.exitCode !== 0) throw new RangeError(`${name}: ${run.stderr.toString()}`);
      writeFileSync(join(SCENARIO_FOLDER, `${name}.result.json`), run.stdout);
    }
    return name;
  });
}

function writeMachineClasses(): void {
  const folder = join(SCENARIO_FOLDER, "classes");
  mkdirSync(folder, { recursive: true });
  for (const program of machinePrograms()) {
    const text = `${JSON.stringify(machineClass(program), null, 1)}\n`;
    writeFileSync(join(folder, `${program.name}.casm.json`), text);
  }
}
