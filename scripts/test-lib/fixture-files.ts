import { ImportGraph } from "./import-graph.ts";

/** The only module that knows the folder of the fixtures. */
const HELPER = "test/helpers/shared.ts";

const isTestModule = (path: string): boolean => path.startsWith("test/");

/** Test files below `folders`, as sorted paths from the root. */
export function testFilesIn(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync({ cwd: root })])
    .toSorted();
}

/**
 * Test files below `folders` that import the helper of the fixtures, themselves or through other
 * modules of `test`: only these behave differently in a clone without fixtures.
 *
 * @param root - the repository
 * @param graph - its imports
 */
export function fixtureFiles(
  root: string,
  folders: readonly string[],
  graph: ImportGraph,
): readonly string[] {
  const files = testFilesIn(root, folders);
  return graph.reaching(files, new Set([HELPER]), isTestModule);
}

/**
 * Those of {@link fixtureFiles} whose import path to the fixtures has changed: the test file itself, or a module
 * between it and the helper.
 *
 * @param changed - paths from the root
 */
export function changedFixtureFiles(
  root: string,
  folders: readonly string[],
  changed: readonly string[],
): readonly string[] {
  const graph = new ImportGraph(root);
  const helper = new Set([HELPER]);
  const files = graph.reaching(testFilesIn(root, folders), helper, isTestModule);
  const modules = changed.filter((path) => isTestModule(path) && path.endsWith(".ts"));
  const onTheWay = graph.reaching(modules, helper, isTestModule);
  return graph.reaching(files, new Set(onTheWay), isTestModule);
}
