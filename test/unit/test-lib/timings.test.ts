import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { slowestFiles } from "../../../scripts/test-lib/timings.ts";

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
    return { path, files: new Set(ran) };
  });
  const unwritten = { path: folder.file("unwritten"), files: new Set(["d.test.ts"]) };
  expect(slowestFiles([...groups, unwritten], 2)).toEqual([
    { file: "b.test.ts", seconds: 2 },
    { file: "a.test.ts", seconds: 1.5 },
  ]);
});
