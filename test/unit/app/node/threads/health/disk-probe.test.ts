import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { DiskProbe } from "#app/node/threads/health/disk-probe.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("a disk probe writes a private file that does not grow", () => {
  using folder = temporaryFolder();
  const path = folder.file("disk.probe");
  for (let start = 0; start < 2; start++) {
    const probe = new DiskProbe(path);
    for (let i = 0; i < 3; i++) probe.touch();
    probe.close();
  }
  expect(readFileSync(path)).toHaveLength(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a disk error counts as a response", () => {
  using folder = temporaryFolder();
  const path = folder.file("disk.probe");
  mkdirSync(path);
  const probe = new DiskProbe(path);
  expect(() => probe.touch()).not.toThrow();
  expect(() => probe.close()).not.toThrow();
});
