import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { testFilesIn } from "./fixture-files.ts";
import { ImportGraph } from "./import-graph.ts";
import { TEST_FOLDERS } from "./test-folders.ts";

/** Files that affect everything: a change of one of them touches every test. */
const EVERYTHING = [
  "bun.lock",
  "bunfig.toml",
  "package.json",
  "tsconfig.json",
  "scripts/setup.sh",
  "test/preload.ts",
];

/** Files that no test imports, with the tests that read or run their contents. */
const READ_BY: readonly (readonly [pattern: RegExp, tests: string])[] = [
  [/^src\/kernels\/[^/]+\/assembly\//, "test/unit/kernels"],
  [/^contracts\//, "test/unit/contracts"],
  [/^deploy\/|^Dockerfile$/, "test/unit/deploy"],
  [/^docs\/|^README\.md$|^CONTRIBUTING\.md$/, "test/unit/docs"],
  [/^presets\//, "test/unit/protocol/config"],
];

/** Tests that a change touches. */
export interface ChangedTests {
  /** Test files that run within a process: unit, rpc, fuzz, spec. */
  readonly quick: readonly string[];
  /** End-to-end test files that changed, or that import a changed file. */
  readonly endToEnd: readonly string[];
  /** Whether the compiled program differs. */
  readonly isProgramChanged: boolean;
}

/**
 * Finds the tests that changes touch: test files that changed or import a changed file, and those in
 * the folder that mirrors a changed file's.
 *
 * @param root - the repository
 * @param changed - paths from the root
 */
export function changedTests(root: string, changed: readonly string[]): ChangedTests {
  const quick = testFilesIn(root, [...TEST_FOLDERS.unit, ...TEST_FOLDERS.spec]);
  const isProgramChanged = changed.some((path) => /^(?:src|bin|presets|contracts)\//.test(path));
  if (changed.some((path) => EVERYTHING.includes(path))) {
    return { quick, endToEnd: testFilesIn(root, TEST_FOLDERS.e2e), isProgramChanged: true };
  }
  const graph = new ImportGraph(root);
  const targets = new Set(changed);
  const folders = changed.flatMap((path) => [...mirrorOf(root, path), ...readersOf(path)]);
  const neighbours = quick.filter((file) => folders.some((folder) => file.startsWith(folder)));
  return {
    quick: [...new Set([...graph.reaching(quick, targets), ...neighbours])].toSorted(),
    endToEnd: graph.reaching(testFilesIn(root, TEST_FOLDERS.e2e), targets),
    isProgramChanged,
  };
}

/** The unit test of a source file, or the nearest folder of tests that mirrors its folder. */
function mirrorOf(root: string, path: string): readonly string[] {
  if (!path.startsWith("src/") || !path.endsWith(".ts")) return [];
  const test = path.replace(/^src/, "test/unit").replace(/\.ts$/, ".test.ts");
  if (existsSync(join(root, test))) return [test];
  const folder = dirname(test);
  return existsSync(join(root, folder)) ? [`${folder}/`] : [];
}

function readersOf(path: string): readonly string[] {
  return READ_BY.filter(([pattern]) => pattern.test(path)).map(([, tests]) => `${tests}/`);
}
