import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { decodeBundle } from "#protocol/chain/index.ts";
import { blockKey } from "#services/replication/index.ts";
import {
  type AccountEntry,
  freePort,
  rawCall,
  resultOf,
  type RunningNode,
  startNode,
} from "#test/helpers/binary.ts";
import { untilSo } from "#test/helpers/follower-state.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { startStoreServer, STORE_ENVIRONMENT } from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const folder = temporaryFolder();
const keyFile = folder.file("signing.key");
const accountsFile = folder.file("accounts.json");
const nodes: RunningNode[] = [];

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop("SIGKILL")));
  folder[Symbol.dispose]();
});

let nonce = 0n;

/** Sends a transfer and waits until it is in a block. */
async function transfer(node: RunningNode): Promise<void> {
  const written = JSON.parse(readFileSync(accountsFile, "utf8")) as { accounts: AccountEntry[] };
  const { address, private_key: key } = written.accounts[0] as AccountEntry;
  const signer = { address: BigInt(address), privateKey: BigInt(key) };
  const { body, hash } = signedTransfer("APPCHAIN_DEVNET", signer, nonce++, 0xabcn);
  const { method, params } = JSON.parse(body) as { method: string; params: unknown };
  expect((await rawCall(node.url, method, params)).error).toBeUndefined();
  await untilSo("accepted", node, async () => {
    const name = "starknet_getTransactionReceipt";
    const { result } = await rawCall(node.url, name, [`0x${hash.toString(16)}`]);
    const receipt = result as { finality_status?: string } | undefined;
    return receipt?.finality_status === "ACCEPTED_ON_L2";
  });
}

test("a standby that was made from a snapshot takes over and goes on with the chain", async () => {
  await using store = await startStoreServer();
  writeFileSync(keyFile, "0x1234567890abcdef\n", { mode: 0o600 });
  const start = async (name: string, port: number, more: readonly string[]) => {
    const shared = ["--publish-gate", store.storeUrl(), "--private-key-file", keyFile];
    const node = await startNode({
      basePath: folder.file(name),
      command: ["sequencer", "--preset", "devnet"],
      args: [...shared, "--gateway-port", String(port), "--takeover-after", "2000", ...more],
      env: STORE_ENVIRONMENT,
    });
    nodes.push(node);
    return node;
  };
  const leader = await start("leader", await freePort(), ["--config-out", accountsFile]);
  for (let i = 0; i < 3; i++) await transfer(leader);

  const snapshot = folder.file("snapshot");
  const from = ["--base-path", folder.file("leader")];
  const made = await runCommand(["snapshot", "export", snapshot, ...from]);
  const hash = /^block_hash: (.*)$/m.exec(made.output)?.[1] ?? "";
  const at = Number(/^block: (.*)$/m.exec(made.output)?.[1]);
  const to = ["--base-path", folder.file("standby")];
  const imported = await runCommand(["snapshot", "import", snapshot, "--block-hash", hash, ...to]);
  expect(imported.output).toContain(`newest_block: ${at}`);

  const port = await freePort();
  const standby = await start("standby", port, ["--standby"]);
  await transfer(leader);
  const newest = await resultOf<number>(leader, "starknet_blockNumber");
  await untilSo("follows", standby, async () => {
    const { result } = await rawCall(standby.url, "starknet_blockNumber");
    return Number(result) >= newest;
  });
  await leader.stop("SIGKILL");
  await untilSo("leads", standby, async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/leader`).catch(() => undefined);
    return answer?.status === 200;
  });
  await transfer(standby);
  await standby.stop();

  const epochs = store.bucket
    .keys("test/blocks/")
    .map((_, number) => store.bucket.get(`test/${blockKey(number)}`) ?? new Uint8Array())
    .map((bytes) => decodeBundle(bytes).epoch);
  expect(epochs.length).toBeGreaterThan(newest + 2);
  expect(epochs.at(-1)).toBe((epochs[newest] ?? 0) + 1);
  const checked = await runCommand(["db", "check", ...to]);
  expect(checked.output).toStartWith(`no difference in `);
  expect(checked.exitCode).toBe(0);
}, 120_000);
