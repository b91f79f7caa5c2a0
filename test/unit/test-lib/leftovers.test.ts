import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { untilTrue } from "#test/helpers/until-true.ts";
import { endLeftovers, markOf } from "../../../scripts/test-lib/leftovers.ts";

/** A process of a run that waits until it is killed. */
function sleeper(run: string) {
  return Bun.spawn(["sleep", "1000"], { env: { ...process.env, ...markOf(run) } });
}

/** Waits until the system shows the program of a process that was just spawned. */
function isShown(pid: number): Promise<boolean> {
  return untilTrue(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep"));
}

test.skipIf(process.platform !== "linux")(
  "processes of a run that are left are killed and named, and no others",
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

test("a process that ends within the grace period is not left", async () => {
  const run = randomUUID();
  const child = sleeper(run);
  const found = endLeftovers(run, 10_000);
  child.kill();
  expect(await found).toEqual([]);
  await child.exited;
});
