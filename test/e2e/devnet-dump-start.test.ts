import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { BINARY, freePort, rawCall, TEST_ENVIRONMENT } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("a dump is replayed at the start before any request is served", async () => {
  using folder = temporaryFolder();
  const path = folder.file("dump.json");
  const entry = { jsonrpc: "2.0", method: "devnet_createBlock", params: {}, id: 0 };
  writeFileSync(path, JSON.stringify(Array.from({ length: 60 }, () => entry)));
  const port = await freePort();
  const child = Bun.spawn(
    [
      ...[BINARY, "sequencer", "--preset", "devnet", "--ephemeral", "--metrics-port", "off"],
      ...["--rpc-port", String(port), "--dump-path", path],
    ],
    { cwd: "/", env: TEST_ENVIRONMENT, stdout: "ignore", stderr: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  try {
    let reply: Response | undefined;
    for (let i = 0; i < 6_000 && reply?.status !== 200; i++) {
      await Bun.sleep(5);
      reply = await fetch(`${url}/is_alive`).catch(() => undefined);
      if (reply !== undefined && reply.status !== 200) expect(reply.status).toBe(503);
    }
    const ready = (await (await fetch(`${url}/ready`)).json()) as { block_number: number };
    expect(ready.block_number).toBe(60);
    expect((await rawCall(url, "starknet_blockNumber", [])).result).toBe(60);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}, 120_000);
