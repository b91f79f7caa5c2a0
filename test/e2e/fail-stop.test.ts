import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BINARY, freePort, TEST_ENVIRONMENT, rawCall } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

const mainnet = useStoppedChain();
const chain = useStoppedChain();

test("a full disk stops the node with a message and loses no accepted block", async () => {
  const port = await freePort();
  // A limit on file sizes simulates the full disk: writes beyond it fail.
  const command = `trap '' XFSZ; ulimit -f 1400; exec "$@"`;
  const child = Bun.spawn(
    [
      "sh",
      "-c",
      command,
      "sh",
      BINARY,
      ..."sequencer --preset mainnet --metrics-port off --block-time 20ms".split(" "),
      ...["--base-path", mainnet.folder.path, "--rpc-port", String(port)],
    ],
    { cwd: "/", env: TEST_ENVIRONMENT, stdout: "pipe", stderr: "pipe" },
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
  await mainnet.start({ preset: "mainnet" });
  for (const [, number, hash] of accepted.slice(-20)) {
    const block = await mainnet.provider.getBlockWithTxHashes(Number(number));
    expect((block as { block_hash: string }).block_hash).toBe(hash as string);
  }
}, 120_000);

test("a full disk under the mempool stops the node and loses no acknowledged transaction", async () => {
  await chain.start({ args: ["--block-time", "1h"] });
  const signers = chain.accounts.map((_, index) => chain.signer(index));
  await chain.stop();
  const port = await freePort();
  // Blocks are far apart, so that the mempool's log is the file that grows.
  const command = `trap '' XFSZ; ulimit -f 1400; exec "$@"`;
  const child = Bun.spawn(
    [
      ...["sh", "-c", command, "sh", BINARY, ..."sequencer --preset devnet".split(" ")],
      ..."--metrics-port off --block-time 1h".split(" "),
      ...["--base-path", chain.folder.path, "--rpc-port", String(port)],
    ],
    { cwd: "/", env: TEST_ENVIRONMENT, stdout: "pipe", stderr: "pipe" },
  );
  const url = `http://127.0.0.1:${port}`;
  const received: string[] = [];
  const send = async (signer: (typeof signers)[number]): Promise<void> => {
    for (let nonce = 0n; child.exitCode === null;) {
      const { body } = signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x1000n + nonce);
      try {
        const response = await fetch(url, { method: "POST", body });
        const { result } = (await response.json()) as { result?: { transaction_hash: string } };
        if (result === undefined) continue;
        received.push(result.transaction_hash);
        nonce++;
      } catch {
        await Bun.sleep(20);
      }
    }
  };
  const [code, stderr] = await Promise.all([
    child.exited,
    new Response(child.stderr).text(),
    ...signers.slice(0, 4).map(send),
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("the node stops because a part of it failed");
  expect(stderr).toContain("admission: The mempool could not be stored.");
  expect(received.length).toBeGreaterThan(10);
  await chain.start({});
  for (const hash of received) {
    const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [hash]);
    expect([hash, result]).toEqual([hash, expect.anything()]);
  }
}, 120_000);

const FULL =
  /^error: .*(The disk is full|It would be larger than files may be here|disk is full)/im;

/**
 * Starts a node in a folder through a shell, and stops it once it runs. @returns its exit code and
 * errors
 */
async function startedBy(shell: string, folder: string) {
  const words = "sequencer --preset devnet --metrics-port off --rpc-port 0 --base-path";
  const child = Bun.spawn(
    ["sh", "-c", shell, "sh", BINARY, ...words.split(" "), join(folder, "chain")],
    { cwd: "/", env: TEST_ENVIRONMENT, stdout: "pipe", stderr: "pipe" },
  );
  const err = new Response(child.stderr).text();
  let text = "";
  let isStopped = false;
  for await (const bytes of child.stdout) {
    text += new TextDecoder().decode(bytes);
    if (isStopped || !text.includes("\nready ")) continue;
    // A second signal would cut the shutdown short.
    isStopped = true;
    child.kill("SIGTERM");
  }
  return { code: await child.exited, err: await err };
}

describe("a full disk at start", () => {
  test("is reported wherever a file reaches its size limit", async () => {
    for (const blocks of bySize({ quick: [0, 60, 300], full: [0, 8, 60, 120, 300] })) {
      using folder = temporaryFolder();
      const limited = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`;
      const { code, err } = await startedBy(limited, folder.path);
      expect([blocks, code, err]).toEqual([blocks, 1, expect.stringMatching(FULL)]);
    }
  }, 60_000);

  test("is reported on a full file system, and the node starts once there is space", async () => {
    using temporary = temporaryFolder();
    const folder = temporary.path;
    const mount = (...words: string[]) => Bun.spawnSync(["mount", ...words]).exitCode === 0;
    // The user may lack the permission to mount.
    if (!mount("-t", "tmpfs", "-o", "size=4k", "none", folder)) return;
    try {
      for (const kib of bySize({ quick: [4, 128, 400], full: [4, 16, 64, 128, 256, 400] })) {
        mount("-o", `remount,size=${kib}k`, folder);
        const { code, err } = await startedBy('exec "$@"', folder);
        expect([kib, code, err]).toEqual([kib, 1, expect.stringMatching(FULL)]);
      }
      mount("-o", "remount,size=64m", folder);
      const { code, err } = await startedBy('exec "$@"', folder);
      expect([code, err]).toEqual([0, ""]);
    } finally {
      Bun.spawnSync(["umount", folder]);
    }
  }, 60_000);
});
