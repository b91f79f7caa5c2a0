import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { type FileCost, noteCosts } from "../../../scripts/test-lib/file-costs.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Program that spends 0.2 s of processor time: on numbers, as reading the time is mostly work of the system. */
const BUSY =
  "let n = 0; while (process.cpuUsage().user < 200_000) for (let i = 0; i < 1e5; i++) n += i;";

test.skipIf(!existsSync("/proc/self/stat"))(
  "noteCosts assigns the processor time of a file's processes to that file",
  () => {
    using folder = temporaryFolder();
    const target = folder.file("costs");
    let path = "/busy.test.ts";
    const note = noteCosts(target, () => path);
    Bun.spawnSync([process.execPath, "-e", BUSY]);
    note();
    path = "/idle.test.ts";
    note();
    const costs = readFileSync(target, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as FileCost);
    expect(costs.map((cost) => cost.path)).toEqual(["/busy.test.ts", "/idle.test.ts"]);
    expect(costs[0]?.childrenMs).toBeGreaterThan(100);
    expect(costs[1]?.childrenMs).toBeLessThan(100);
  },
);
