import { expect, test } from "bun:test";
import { join } from "node:path";

const ENTRY = join(import.meta.dir, "../../../../../bin/appchain.ts");

test("a compiler whose node is gone exits silently", async () => {
  const command = `exec 3<&0; (sleep 0.2; exec "$0" "$1" __compiler 0 <&3) | true`;
  const child = Bun.spawn(["sh", "-c", command, process.execPath, ENTRY], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toBe("");
  await child.exited;
});
