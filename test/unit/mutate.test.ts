import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { parseMutateArguments } from "../../scripts/mutate-lib/arguments.ts";
import { mutantsOf } from "../../scripts/mutate-lib/draw.ts";
import { maskSource } from "../../scripts/mutate-lib/mask.ts";
import { mutate, mutationsOf } from "../../scripts/mutate-lib/operators.ts";
import { testFoldersOf } from "../../scripts/mutate-lib/workspace.ts";
import { createRandom } from "#test/helpers/random.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Mutants of a source made by one operator. */
const brokenBy = (operator: string, source: string) =>
  mutationsOf(source)
    .filter((mutation) => mutation.operator === operator)
    .map((mutation) => mutate(source, mutation));

describe("mutationsOf", () => {
  test.each([
    ["compare", "x = a < b;", ["x = a <= b;"]],
    [
      "compare",
      "x = a >= b && c === d;",
      ["x = a > b && c === d;", "x = a >= b || c === d;", "x = a >= b && c !== d;"],
    ],
    [
      "compare",
      "new Queue((a, b) => a.x === b.x ? a.y < b.y : a.x < b.x); c < d;",
      [
        "new Queue((a, b) => a.x !== b.x ? a.y < b.y : a.x < b.x); c < d;",
        "new Queue((a, b) => a.x === b.x ? a.y < b.y : a.x < b.x); c <= d;",
      ],
    ],
    ["compare", "return a.x.y > b.x.y;\nreturn gapOfA < gapOfB;", []],
    ["compare", "x = p < q ? q : p;\ny = p > 1n ? p : 1n;", []],
    ["compare", "x = p < q ? r : p;", ["x = p <= q ? r : p;"]],
    ["compare", "x = a.y > b.z;", ["x = a.y >= b.z;"]],
    ["negate", "if (a(b) || c) return;", ["if (!(a(b) || c)) return;"]],
    ["constant", "const A_2 = 5_000 + 7n;", ["const A_2 = 5001 + 7n;", "const A_2 = 5_000 + 8n;"]],
    ["boolean", "x = true;", ["x = false;"]],
    ["sign", "x = a - 1;", ["x = a + 1;"]],
    ["count", "this.#n++;", ["this.#n--;"]],
    ["bound", "x = Math.max(a, b);", ["x = Math.min(a, b);"]],
    ["drop", "  await this.#a.b(c(), d);\n", ["  ;\n"]],
    ["drop", "  a(b).then(() => {\n    c;\n  });\n", ["  ;\n"]],
    ["drop", "  return a(b);\n  super(c);\n  x = a(b);\n", []],
    [
      "code",
      'a("ONE_A", "TWO_B"); case "ONE_A":',
      ['a("TWO_B", "TWO_B"); case "ONE_A":', 'a("ONE_A", "ONE_A"); case "ONE_A":'],
    ],
  ])("applies %s to %p", (operator, source, broken) => {
    expect(brokenBy(operator, source)).toEqual(broken);
  });

  test("skips comments, types, logging, strings and patterns", () => {
    const source = `
import { a } from "./a < 1.ts";
/** if (b) 5 */
// c && d
interface E {
  readonly f: 7;
}
type G = { readonly h: true } | 3;
this.#log.info(\`i \${j + 1}\`, { k: 2 });
const l = "m && 4";
const n = \`o && \${"p"} 5\`;
const q = s.match(/[/"] && 6/);
`;
    expect(mutationsOf(source)).toEqual([]);
  });

  test("includes expressions in template literals", () => {
    expect(brokenBy("sign", "x = `a + ${b + `c - ${d - e}`}`;")).toHaveLength(2);
  });
});

test("maskSource keeps length and lines, also with non-ASCII characters", () => {
  const source = 'x = "\u{1f600}é" + `\n${y}`; // \u{1f600}\nz = 1;';
  const masked = maskSource(source);
  expect(masked).toHaveLength(source.length);
  expect(masked.split("\n")).toHaveLength(source.split("\n").length);
  expect(masked.endsWith("z = 1;")).toBe(true);
});

test("mutantsOf draws from each source below the paths once and skips thread entries", () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("src/node"), { recursive: true });
  const names = ["thread.ts", "run.ts", "run.d.ts", "run.thread.ts", "run.js", "node/stop.ts"];
  for (const name of names) writeFileSync(folder.file(`src/${name}`), "f(\n  true,\n);\n");
  const drawn = mutantsOf(folder.path, ["src", "src/run.ts", "src/run.thread.ts"]);
  expect(drawn.map(({ file, line }) => [file, line])).toEqual([
    ["src/node/stop.ts", 2],
    ["src/run.ts", 2],
    ["src/thread.ts", 2],
  ]);
});

test("testFoldersOf finds the tests of a room, else those of its floor", () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("test/unit/app/node"), { recursive: true });
  mkdirSync(folder.file("test/unit/api/rpc"), { recursive: true });
  const folders = (file: string) => testFoldersOf(folder.path, file);
  expect(folders("src/app/node/threads/x.ts")).toEqual(["test/unit/app/node"]);
  expect(folders("src/app/other/x.ts")).toEqual(["test/unit/app"]);
  expect(folders("src/api/rpc/methods/x.ts")).toEqual(["test/unit/api/rpc", "test/rpc"]);
});

test("shuffling depends on the seed and loses nothing", () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  const shuffled = (seed: number): number[] => createRandom(seed).shuffled(items);
  expect(shuffled(3)).toEqual(shuffled(3));
  expect(shuffled(3)).not.toEqual(shuffled(4));
  expect(shuffled(3).sort((a, b) => a - b)).toEqual(items);
});

test.each([
  [[], { kind: "drawn", count: 20, seed: 1, paths: ["src/services", "src/app/node"] }],
  [
    ["5", "--seed", "9", "src/app/node/"],
    { kind: "drawn", count: 5, seed: 9, paths: ["src/app/node"] },
  ],
  [["src/a.ts"], { kind: "drawn", count: 20, seed: 1, paths: ["src/a.ts"] }],
  [["--wires"], { kind: "wires", paths: [] }],
  [["--wires", "src/app/"], { kind: "wires", paths: ["src/app"] }],
  [["--wires", "--seed"], undefined],
  [["0"], undefined],
  [["--seed"], undefined],
  [["--seed", "x"], undefined],
  [["--nonsense"], undefined],
] as const)("parseMutateArguments reads %p", (args, asked) => {
  expect(parseMutateArguments(args)).toEqual(asked);
});
