import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, BINARY, freePort, rawCall } from "#test/helpers/binary.ts";
import { useFollower } from "#test/helpers/follower.ts";
import { untilCaughtUp, untilSo } from "#test/helpers/follower-state.ts";
import { makeBlocks, makeMint, ON_DEMAND, useGatewayChain } from "#test/helpers/gateway-chain.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { bySize } from "#test/helpers/test-size.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";

describe("a full disk", () => {
  const chain = useGatewayChain({ args: ON_DEMAND });
  const node = useFollower();
  const BLOCKS = bySize({ quick: 60, full: 150 });
  /** File size limit in blocks of 512 bytes, below the size of the chain. */
  const FILE_BLOCKS = bySize({ quick: 1_000, full: 2_000 });

  test("stops a full node with a message; with space it resumes from its blocks", async () => {
    await chain.start();
    for (let block = 1; block <= BLOCKS; block++) await makeMint(chain, block);
    // A limit on file sizes simulates the full disk: writes beyond it fail.
    const command = `trap '' XFSZ; ulimit -f ${FILE_BLOCKS}; exec "$@"`;
    const child = Bun.spawn(
      [
        ...["sh", "-c", command, "sh", BINARY, ..."node --preset devnet".split(" ")],
        ...["--gateway-url", chain.gateway, "--base-path", node.folder.path],
        ...["--metrics-port", "off", "--rpc-port", String(await freePort())],
      ],
      { cwd: "/", stdout: "pipe", stderr: "pipe" },
    );
    const [code, , stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("a part of it failed")]);
    await node.start({ gateways: [chain.gateway] });
    expect(node.output()).not.toContain("sync starts at block 0");
    await untilCaughtUp(node, chain);
    await node.stop();
    await chain.stop();
  }, 120_000);
});

describe("a sequencer that was killed and lost its mempool", () => {
  const chain = useGatewayChain({ args: ["--block-time", "1h"], env: ASYNC_SUBMISSION });
  const node = useFollower();

  test("is followed; what it lost is not found, and a forwarded transaction is sent again", async () => {
    await chain.start();
    await makeBlocks(chain, 2);
    await node.start({ gateways: [chain.gateway] });
    await untilCaughtUp(node, chain);
    const direct = signedTransfer(CHAIN_ID, chain.signer(0), 0n, 0x77n);
    const forwarded = signedTransfer(CHAIN_ID, chain.signer(1), 0n, 0x78n);
    await post(chain.url, direct.body);
    await post(node.url, forwarded.body);
    for (const { hash } of [direct, forwarded]) {
      await untilSo("pre-confirmed", node, async () => (await statusOf(hash)) === "PRE_CONFIRMED");
    }
    await chain.stop("SIGKILL");
    // The newest block survives, and nothing later.
    for (const name of ["mempool.db", "mempool.db-wal", "mempool.db-shm", "execution.journal"]) {
      rmSync(chain.folder.file(name), { force: true });
    }
    await chain.start();
    await untilSo("not found", node, async () => (await statusOf(direct.hash)) === undefined);
    await untilSo("sent again", node, async () => (await statusOf(forwarded.hash)) !== undefined);
    await makeBlocks(chain, 1);
    await untilCaughtUp(node, chain);
    await node.stop();
    await chain.stop();
  }, 120_000);

  async function statusOf(hash: bigint): Promise<string | undefined> {
    const { result } = await rawCall(node.url, "starknet_getTransactionStatus", [
      hexFromFelt(hash),
    ]);
    return (result as { finality_status?: string } | undefined)?.finality_status;
  }
});

async function post(url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  expect(await response.json()).toMatchObject({ result: {} });
}
