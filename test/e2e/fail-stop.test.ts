import { expect, test } from "bun:test";
import {
  BINARY,
  freePort,
  removeFolder,
  startChain,
  temporaryFolder,
} from "#test/helpers/binary.ts";

test("a full disk stops the node with a message, and nothing accepted is lost", async () => {
  const folder = temporaryFolder();
  const port = await freePort();
  // A limit on file sizes stands for the full disk: writes beyond it fail.
  const command = `trap '' XFSZ; ulimit -f 1400; exec "$@"`;
  const child = Bun.spawn(
    [
      "sh",
      "-c",
      command,
      "sh",
      BINARY,
      ..."sequencer --preset mainnet --metrics-port off --block-time 20ms".split(" "),
      ...["--base-path", folder, "--rpc-port", String(port)],
    ],
    { cwd: "/", stdout: "pipe", stderr: "pipe" },
  );
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("the node stops because a part of it failed");
  const accepted = [...stdout.matchAll(/block (\d+) accepted hash=(0x[0-9a-f]+)/g)];
  expect(accepted.length).toBeGreaterThan(1);
  const chain = await startChain({ basePath: folder, preset: "mainnet" });
  for (const [, number, hash] of accepted.slice(-20)) {
    const block = await chain.provider.getBlockWithTxHashes(Number(number));
    expect((block as { block_hash: string }).block_hash).toBe(hash as string);
  }
  await chain.stop();
  removeFolder(folder);
}, 120_000);
