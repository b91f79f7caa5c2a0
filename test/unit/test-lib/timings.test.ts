import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ROOT } from "../../../scripts/test-lib/run.ts";
import { emptyCosts, slowestFiles } from "../../../scripts/test-lib/timings.ts";

test("slowestFiles lists the slowest files of this run, not of an earlier one", () => {
  using folder = temporaryFolder();
  const groups = [
    { name: "one", files: { "a.test.ts": 1_500, "earlier.test.ts": 90_000 }, ran: ["a.test.ts"] },
    {
      name: "two",
      files: { "b.test.ts": 2_000, "c.test.ts": 10 },
      ran: ["b.test.ts", "c.test.ts"],
    },
  ].map(({ name, files, ran }) => {
    const path = folder.file(name);
    writeFileSync(path, JSON.stringify({ version: 1, files }));
    return { path, costsPath: folder.file("unwritten"), files: new Set(ran) };
  });
  const unwritten = {
    path: folder.file("unwritten"),
    costsPath: folder.file("unwritten"),
    files: new Set(["d.test.ts"]),
  };
  expect(slowestFiles([...groups, unwritten], 2)).toEqual([
    { file: "b.test.ts", seconds: 2, cpuSeconds: undefined },
    { file: "a.test.ts", seconds: 1.5, cpuSeconds: undefined },
  ]);
});

test("slowestFiles adds up the processor times of a file and its processes", () => {
  using folder = temporaryFolder();
  const path = folder.file("one.json");
  const files = { "test/a.test.ts": 2_000, "test/b.test.ts": 1_000 };
  writeFileSync(path, JSON.stringify({ version: 1, files }));
  const costsPath = emptyCosts(path);
  const lines = [
    { path: join(ROOT, "test/a.test.ts"), ownMs: 1_000, childrenMs: 500 },
    { path: join(ROOT, "test/b.test.ts"), ownMs: 10, childrenMs: 0 },
    { path: join(ROOT, "test/a.test.ts"), ownMs: 0, childrenMs: 250 },
  ];
  writeFileSync(costsPath, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const groups = [{ path, costsPath, files: new Set(Object.keys(files)) }];
  expect(slowestFiles(groups, 2)).toEqual([
    { file: "test/a.test.ts", seconds: 2, cpuSeconds: 1.75 },
    { file: "test/b.test.ts", seconds: 1, cpuSeconds: 0.01 },
  ]);
});

test("emptyCosts removes the costs of an earlier run", () => {
  using folder = temporaryFolder();
  const path = emptyCosts(folder.file("one.json"));
  writeFileSync(path, "earlier");
  expect(readFileSync(emptyCosts(folder.file("one.json")), "utf8")).toBe("");
});
