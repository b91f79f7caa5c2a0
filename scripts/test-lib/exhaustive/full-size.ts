import { KILL_LOOPS, LOADING_FILES } from "../e2e-files.ts";
import { testFilesIn } from "../fixture-files.ts";
import type { ImportGraph } from "../import-graph.ts";
import { FULL_SIZE } from "../parts.ts";
import { ROOT } from "../run.ts";
import { TEST_FOLDERS } from "../test-folders.ts";
import type { ExhaustiveItem } from "./item.ts";

/** Modules that make tests larger in a full run: {@link isFullSize} and property tests. */
const SIZED = new Set(["test/helpers/test-size.ts", "test/helpers/property.ts"]);

/** Factor for the number of cases of property tests with another seed. */
const LONG_RUN_FACTOR = 5;

/** Start of the names of groups of end-to-end tests. */
const E2E_GROUP = "e2e";

/** Maximum of end-to-end files per item. */
const E2E_FILES = 8;

/** Average time of a file at full size on two cores. */
const E2E_FILE_SECONDS = 15;
const UNIT_FILE_SECONDS = 1;

/** Estimated times of end-to-end files that take much longer at full size, in seconds. */
const LONG_FILE_SECONDS: Readonly<Record<string, number>> = {
  "test/e2e/explorer.test.ts": 240,
  "test/e2e/fork-endpoints.test.ts": 90,
  "test/e2e/fork-equality.test.ts": 300,
  "test/e2e/fork-files.test.ts": 90,
};

/** Group of the files that load the chain: one after the other at full size. */
const LOADING_GROUP = "e2e loading";

/** Timeout of a test that does not set one. */
const LONG_TEST_TIMEOUT_MS = 600_000;

/** A group of test files whose size differs in a full run. */
interface SizedGroup {
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * Items of tests at full size with the fixed seed, then of property tests with `seed`.
 *
 * @param graph - imports of this repository
 */
export function fullSizeItems(seed: number, graph: ImportGraph): readonly ExhaustiveItem[] {
  const groups = sizedGroups(SIZED, graph);
  const properties = sizedGroups(new Set(["test/helpers/property.ts"]), graph);
  return [
    ...groups.map((group) => ({
      ...itemOf(`full size ${group.name}`, group, FULL_SIZE),
      isSized: true,
    })),
    ...properties.map((group) =>
      itemOf(`long properties ${group.name}, FUZZ_SEED=${seed}`, group, {
        ...FULL_SIZE,
        FUZZ_SEED: String(seed),
        FUZZ_FACTOR: String(LONG_RUN_FACTOR),
      }),
    ),
  ];
}

function itemOf(
  name: string,
  { name: group, files }: SizedGroup,
  environment: Readonly<Record<string, string>>,
): ExhaustiveItem {
  const usual = group.startsWith(E2E_GROUP) ? E2E_FILE_SECONDS : UNIT_FILE_SECONDS;
  return {
    name,
    seconds: files.reduce((sum, file) => sum + (LONG_FILE_SECONDS[file] ?? usual), 0),
    isSized: false,
    isWaiting: false,
    async run(checks) {
      await checks.tests(name, files, {
        environment,
        timeoutMs: LONG_TEST_TIMEOUT_MS,
        ...(group === LOADING_GROUP ? { workers: 1 } : {}),
      });
    },
  };
}

/** Test files that use one of `helpers`, by floor or folder. */
function sizedGroups(helpers: ReadonlySet<string>, graph: ImportGraph): readonly SizedGroup[] {
  const uses = (file: string): boolean => graph.importsOf(file).some((path) => helpers.has(path));
  // Loops of kills are separate items.
  const files = testFilesIn(ROOT, Object.values(TEST_FOLDERS).flat()).filter(
    (file) => !KILL_LOOPS.includes(file),
  );
  const byGroup = new Map<string, string[]>();
  for (const file of files.filter(uses)) {
    const [, kind = "", floor = ""] = file.split("/");
    const group = LOADING_FILES.includes(file) ? LOADING_GROUP : kind === "unit" ? floor : kind;
    byGroup.set(group, [...(byGroup.get(group) ?? []), file]);
  }
  return [...byGroup].flatMap(([name, files]) => portions(name, files));
}

/** End-to-end tests take long: a group of them is divided. */
function portions(name: string, files: readonly string[]): readonly SizedGroup[] {
  if (!name.startsWith(E2E_GROUP) || name === LOADING_GROUP) return [{ name, files }];
  const count = Math.ceil(files.length / E2E_FILES);
  return Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index + 1}`,
    files: files.filter((_file, at) => at % count === index),
  }));
}
