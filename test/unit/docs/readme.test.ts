import { describe, expect, test } from "bun:test";
import { documents } from "#test/helpers/command-blocks.ts";
import packageJson from "../../../package.json" with { type: "json" };

const texts = new Map(documents().map(({ path, text }) => [path, text]));
const readme = texts.get("README.md") ?? "";

/** Cells of each row of the table that has a column of this name. */
function tableWith(column: string): readonly (readonly string[])[] {
  const table = readme
    .split(/\n{2,}/)
    .find((block) => block.startsWith("|") && (block.split("\n")[0] ?? "").includes(column));
  return (table ?? "")
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

describe("the README", () => {
  test("starts with one sentence and the three pictures exist", () => {
    const [, sentence = ""] = readme.split("\n\n");
    expect(sentence).toMatch(/^appchain is [^.]*\.$/);
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file]) => file);
    expect(pictures).toEqual([
      "docs/images/terminal.svg",
      "docs/images/explorer-overview.webp",
      "docs/images/architecture.svg",
    ]);
  });

  test("compares the version of this program, and has a cell for each program in each row", () => {
    const [head = [], , ...rows] = tableWith("Madara");
    expect(head[1]).toBe(`appchain ${packageJson.version}`);
    expect(rows.length).toBeGreaterThan(8);
    for (const row of rows) expect([row[0], row.length]).toEqual([row[0], head.length]);
    expect(rows.flat().filter((cell, i) => i % head.length > 0 && cell === "")).toEqual([]);
  });

  test("has the speeds of docs/benchmarks.md, each pair in one row there", () => {
    const benchmarks = (texts.get("docs/benchmarks.md") ?? "").split("\n");
    const [, , ...rows] = tableWith("starknet-devnet 0.8.1");
    expect(rows).toHaveLength(7);
    for (const [what = "", own = "", peer = ""] of rows) {
      const row = benchmarks.find(
        (line) => line.includes(`| ${own} (`) && line.includes(`| starknet-devnet ${peer} `),
      );
      expect([what, row === undefined]).toEqual([what, false]);
    }
    const commit = /at commit ([0-9a-f]{8}) on Bun/.exec(readme)?.[1];
    for (const group of ["start", "transfers", "reads"]) {
      const machine = benchmarks.find((line) => line.startsWith(`- \`${group}\`: `)) ?? "";
      expect([group, machine]).toEqual([group, expect.stringContaining(`commit ${commit}`)]);
      expect(machine).toContain("2 cores, Intel(R) Xeon(R) Processor; linux x64, Bun 1.4.5");
    }
  });
});
