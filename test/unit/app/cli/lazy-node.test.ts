import { expect, test } from "bun:test";
import { loadedBy } from "#test/helpers/loaded-modules.ts";

/** Modules of a running node: loading them takes several times as long as everything else. */
const isOfNode = (path: string): boolean => /\/src\/(?:app\/node|api|services|engine)\//.test(path);

for (const entry of ["main.ts", "help.ts", "completions/completion-script.ts"]) {
  test(`${entry} loads no module of a running node`, () => {
    const all = [...loadedBy(`src/app/cli/${entry}`)];
    expect(all.length).toBeGreaterThan(30);
    expect(all.filter(isOfNode)).toEqual([]);
  });
}

test("the command that runs a node loads it", () => {
  expect([...loadedBy("src/app/cli/run-node.ts")].some(isOfNode)).toBe(true);
});
