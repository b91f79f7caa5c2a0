import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { BINARY, TEST_ENVIRONMENT } from "#test/helpers/binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const DEADLINE_MS = 30_000;

describe("--ephemeral", () => {
  const parent = useFolder();
  const node = "sequencer --preset devnet --ephemeral --metrics-port off --log-level warn".split(
    " ",
  );

  /** Starts a node and waits until it is ready. */
  async function start(...more: readonly string[]) {
    const configOut = parent.file("out.json");
    rmSync(configOut, { force: true });
    const args = [...node, "-p", "0", "--config-out", configOut, ...more];
    const child = Bun.spawn([BINARY, ...args], {
      cwd: "/",
      env: { ...TEST_ENVIRONMENT, TMPDIR: parent.path },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    });
    const deadline = Date.now() + DEADLINE_MS;
    while (!existsSync(configOut) && Date.now() < deadline) await Bun.sleep(20);
    return child;
  }
  const folders = (): readonly string[] =>
    readdirSync(parent.path).filter((name) => name.startsWith("appchain-ephemeral-"));

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`leaves nothing after ${signal}`, async () => {
      const child = await start();
      expect(folders()).toHaveLength(1);
      child.kill(signal);
      expect(await child.exited).toBe(0);
      expect(folders()).toEqual([]);
    }, 60_000);
  }

  test("leaves nothing when a second signal cuts the shutdown short", async () => {
    const child = await start();
    child.kill("SIGINT");
    await Bun.sleep(1);
    child.kill("SIGINT");
    expect([0, 130]).toContain(await child.exited);
    expect(folders()).toEqual([]);
  }, 60_000);

  test("leaves nothing when the start fails", async () => {
    const busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const { port } = busy.address() as { port: number };
    const { exitCode } = Bun.spawnSync([BINARY, ...node, "-p", String(port)], {
      cwd: "/",
      env: { ...process.env, TMPDIR: parent.path },
    });
    busy.close();
    expect(exitCode).toBe(1);
    expect(folders()).toEqual([]);
  }, 60_000);

  test("a later start deletes the folder of a killed node, but not that of a running one", async () => {
    const running = await start();
    const killed = await start();
    killed.kill("SIGKILL");
    await killed.exited;
    expect([running.exitCode, folders().length]).toEqual([null, 2]);
    const later = await start();
    expect(folders()).toHaveLength(2);
    for (const child of [running, later]) {
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    }
    expect(folders()).toEqual([]);
  }, 120_000);

  test("says what to do if no temporary folder can be created", () => {
    const { exitCode, stderr } = Bun.spawnSync([BINARY, ...node, "-p", "0"], {
      cwd: "/",
      env: { ...process.env, TMPDIR: "/proc" },
    });
    expect([exitCode, stderr.toString()]).toEqual([2, expect.stringContaining("set TMPDIR")]);
  }, 60_000);
});
