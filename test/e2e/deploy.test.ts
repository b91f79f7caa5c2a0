import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BINARY, freePort } from "#test/helpers/binary.ts";
import { composeServices } from "#test/helpers/deploy.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const HEALTHCHECK = join(import.meta.dir, "../../deploy/healthcheck");

/** Runs the image's health check against a port. @returns whether it passes */
async function isHealthy(port: number): Promise<boolean> {
  const child = Bun.spawn([HEALTHCHECK], {
    env: { ...process.env, APPCHAIN_RPC_PORT: String(port) },
    stdout: "ignore",
    stderr: "ignore",
  });
  return (await child.exited) === 0;
}

describe("a service of the compose file", () => {
  test.each([...composeServices()])(
    "%s starts, becomes healthy and stops on SIGTERM",
    async (_, { command, environment }) => {
      using folder = temporaryFolder();
      const port = await freePort();
      const child = Bun.spawn([BINARY, ...command], {
        cwd: folder.path,
        env: {
          ...process.env,
          ...environment,
          APPCHAIN_BASE_PATH: folder.file("data"),
          // The test does not run in a container: keep the ports local.
          APPCHAIN_RPC_EXTERNAL: "false",
          APPCHAIN_RPC_PORT: String(port),
          APPCHAIN_METRICS_PORT: "off",
        },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
      try {
        expect(environment).toEqual({ APPCHAIN_RPC_EXTERNAL: "true" });
        while (child.exitCode === null && !(await isHealthy(port))) await Bun.sleep(50);
        expect(await isHealthy(port)).toBe(true);
        child.kill("SIGTERM");
        expect(await child.exited).toBe(0);
        expect(await isHealthy(port)).toBe(false);
      } finally {
        child.kill("SIGKILL");
        await child.exited;
      }
    },
  );
});

test("the health check fails if the response is not 200", async () => {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("", { status: 503 }),
  });
  expect(await isHealthy(server.port ?? 0)).toBe(false);
});
