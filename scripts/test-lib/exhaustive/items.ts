import { basename } from "node:path";
import { ATTACKS, WAITING } from "#test/attack/index.ts";
import { KILL_LOOPS } from "../e2e-files.ts";
import { fixtureFiles } from "../fixture-files.ts";
import { ImportGraph } from "../import-graph.ts";
import { FULL_SIZE } from "../parts.ts";
import { ROOT } from "../run.ts";
import { runWithoutFixtures } from "../second-pass.ts";
import { TEST_FOLDERS } from "../test-folders.ts";
import { ATTACK_SECONDS } from "./attack-seconds.ts";
import { fullSizeItems } from "./full-size.ts";
import type { ExhaustiveItem } from "./item.ts";

/** Number of kills of each loop. */
const KILLS = { KILLS: "50", DB_KILLS: "20" };
const KILL_LOOP_SECONDS = 130;

/** Every attack at full size, against the compiled program. */
function attackItems(): readonly ExhaustiveItem[] {
  return ATTACKS.map((attack) => ({
    name: `attack ${attack.name}`,
    seconds: ATTACK_SECONDS[attack.name] ?? 60,
    isSized: false,
    isWaiting: WAITING.includes(attack),
    run: async (checks) => {
      const { name } = attack;
      await checks.command(`attack ${name}`, [process.execPath, "test/attack/run.ts", name]);
    },
  }));
}

/** Loops of kills. */
const KILL_ITEMS: readonly ExhaustiveItem[] = KILL_LOOPS.map((file) => {
  const name = `kill loop ${basename(file, ".test.ts")}`;
  return {
    name,
    seconds: KILL_LOOP_SECONDS,
    isSized: false,
    isWaiting: false,
    async run(checks) {
      await checks.tests(name, [file], { environment: { ...FULL_SIZE, ...KILLS } });
    },
  };
});

/** Tests that use the fixtures, run as in a clone without fixtures. */
function secondPassItems(graph: ImportGraph): readonly ExhaustiveItem[] {
  return [
    { name: "unit" as const, seconds: 60 },
    { name: "spec" as const, seconds: 5 },
    { name: "e2e" as const, seconds: 40 },
  ].map(({ name, seconds }) => ({
    name: `${name} without fixtures`,
    seconds,
    isSized: false,
    isWaiting: false,
    run: (checks) =>
      runWithoutFixtures(checks, name, fixtureFiles(ROOT, TEST_FOLDERS[name], graph)),
  }));
}

/**
 * Exhaustive checks: attacks, property tests and other random tests at full size, kill loops, and tests
 * without fixtures. All of them need `dist/appchain`.
 *
 * @param seed - seed of long property runs, in addition to the fixed one
 */
export function exhaustiveItems(seed: number): readonly ExhaustiveItem[] {
  const graph = new ImportGraph(ROOT);
  return [
    ...attackItems(),
    ...KILL_ITEMS,
    ...secondPassItems(graph),
    ...fullSizeItems(seed, graph),
  ];
}
