import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { makeForkFolder } from "#test/helpers/fork-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "../run.ts";

const ROOTS = "state roots of a fork cover its local changes alone";

let folder: TemporaryFolder;
let fork: string;

beforeAll(async () => {
  folder = temporaryFolder();
  fork = folder.file("fork");
  await makeForkFolder(fork);
});
afterAll(() => folder[Symbol.dispose]());

describe("on the data directory of a fork", () => {
  test("db check checks everything but roots, and says why", async () => {
    const { code, out } = await run(["db", "check", "--base-path", fork]);
    expect(code).toBe(0);
    expect(out).toContain("no difference in 1 blocks");
    expect(out).toContain(`tries and state roots were not checked: ${ROOTS}`);
  });

  test("db info and the ranges of commands name the block that it continues", async () => {
    const info = await run(["db", "info", "--base-path", fork]);
    expect(info.out).toMatch(/^oldest_block: 101 \(the chain continues block 100 of ORIGIN \(0x/m);
    for (const words of [
      ["check", "--from", "100"],
      ["revert", "--to", "100", "--yes"],
    ]) {
      const { code, err } = await run(["db", ...words, "--base-path", fork]);
      expect(code).toBe(2);
      expect(err).toContain("the oldest block is 101: the chain continues block 100 of ORIGIN");
    }
  });

  test("snapshot export refuses, and creates nothing", async () => {
    const target = folder.file("snapshot");
    const { code, err } = await run(["snapshot", "export", target, "--base-path", fork]);
    expect(code).toBe(2);
    expect(err).toContain(`is a fork and cannot be exported: ${ROOTS}`);
    expect(existsSync(target)).toBe(false);
  });
});
