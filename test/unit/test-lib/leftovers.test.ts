import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { untilTrue } from "#test/helpers/until-true.ts";
import { endLeftovers, markOf } from "../../../scripts/test-lib/leftovers.ts";

/** A process marked as part of a run; it sleeps until it is killed. */
function sleeper(run: string) {
  return Bun.spawn(["sleep", "1000"], { env: { ...process.env, ...markOf(run) } });
}

/** Waits until the command line of a newly spawned process is visible. */
function isShown(pid: number): Promise<boolean> {
  return untilTrue(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep"));
}

test.skipIf(process.platform !== "linux")(
  "endLeftovers kills and names processes that a run left behind, and no others",
  async () => {
    const run = randomUUID();
    const [own, other] = [sleeper(run), sleeper(randomUUID())];
    expect(await isShown(own.pid)).toBe(true);
    expect(await endLeftovers(run, 0)).toEqual([{ pid: own.pid, command: "sleep 1000" }]);
    await own.exited;
    expect(own.signalCode).toBe("SIGKILL");
    expect(other.exitCode).toBeNull();
    other.kill();
    await other.exited;
  },
);

test("endLeftovers ignores a process that exits within the grace period", async () => {
  const run = randomUUID();
  const child = sleeper(run);
  const found = endLeftovers(run, 10_000);
  child.kill();
  expect(await found).toEqual([]);
  await child.exited;
});
