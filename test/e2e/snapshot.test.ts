import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, resultOf } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { blockHash, makeMint, ON_DEMAND, useGatewayChain } from "#test/helpers/gateway-chain.ts";
import { runCommand } from "#test/helpers/run-binary.ts";
import { startStoreServer, STORE_ENVIRONMENT } from "#test/helpers/store-server.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

/** Height of the chain, and the block of its snapshot. */
const BLOCKS = 16;
const AT = 12;

const chain = useGatewayChain({ args: ON_DEMAND });
const node = useFollower();
const folder = useFolder();
const exported = folder.file("snapshot");
let hash: string;
let publicKey: string;
let files: ReturnType<typeof Bun.serve>;

const snapshot = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
  runCommand(["snapshot", ...args], env);

const check = (basePath: string) =>
  runCommand(["db", "check", "--base-path", basePath, "--public-key", publicKey]);

beforeAll(async () => {
  await chain.start();
  for (let block = 1; block <= BLOCKS; block++) await makeMint(chain, block);
  hash = await blockHash(chain, AT);
  publicKey = String(await (await fetch(`${chain.gateway}/feeder_gateway/get_public_key`)).json());
  const made = await snapshot([
    "export",
    exported,
    "--at",
    `${AT}`,
    "--base-path",
    chain.folder.path,
  ]);
  expect(made.output).toContain(`block_hash: ${hash}`);
  expect(made.exitCode).toBe(0);
  files = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const path = join(exported, new URL(request.url).pathname.split("/").at(-1) ?? "");
      return existsSync(path) ? new Response(Bun.file(path)) : new Response(null, { status: 404 });
    },
  });
}, 120_000);

afterAll(() => files.stop(true));

test("a full node starts from a snapshot over HTTP and follows the chain", async () => {
  const url = `http://127.0.0.1:${files.port}/some/folder/`;
  const imported = await snapshot([
    "import",
    url,
    "--public-key",
    publicKey,
    "--base-path",
    node.folder.path,
  ]);
  expect(imported.output).toContain(`newest_block: ${BLOCKS}`);
  expect(imported.exitCode).toBe(0);
  const checked = await check(node.folder.path);
  expect(checked.output).toStartWith("no difference in ");
  await makeMint(chain, BLOCKS + 1);
  await node.start({ gateways: [chain.gateway] });
  await waitForBlock(node, BLOCKS + 1);
  expect(await blockHash(node, BLOCKS + 1)).toBe(await blockHash(chain, BLOCKS + 1));
  const balance = (of: { readonly url: string }) =>
    resultOf(of, "starknet_getStateUpdate", [{ block_number: AT }]);
  expect(await balance(node)).toEqual(await balance(chain));
  await node.stop();
  expect((await check(node.folder.path)).exitCode).toBe(0);
}, 60_000);

test("export to a store and import from it retry failed requests", async () => {
  await using store = await startStoreServer();
  const faults = [500, "lost", "down"] as const;
  await store.setFaults({
    seed: 7,
    rules: faults.map((fault) => ({ rate: 0.2, times: 1, fault })),
  });
  const url = store.storeUrl("snapshot");
  const from = ["--base-path", chain.folder.path];
  const made = await snapshot(["export", url, "--at", `${AT}`, ...from], STORE_ENVIRONMENT);
  expect(made.output).toContain(`block_hash: ${hash}`);
  const again = await snapshot(["export", url, ...from], STORE_ENVIRONMENT);
  expect(again.output).toContain(`already contains a snapshot, of block ${AT}`);
  expect(again.exitCode).toBe(1);
  const target = folder.file("from-store");
  const imported = await snapshot(
    ["import", url, "--block-hash", hash, "--base-path", target],
    STORE_ENVIRONMENT,
  );
  expect(imported.output).toContain(`newest_block: ${AT}`);
  expect(imported.output).toContain(`blocks up to ${BLOCKS + 1} are omitted`);
  expect((await check(target)).exitCode).toBe(0);
}, 60_000);

test("a killed import can be resumed; until then a node rejects the folder", async () => {
  const target = folder.file("killed");
  const words = ["import", exported, "--public-key", publicKey, "--base-path", target];
  for (let afterMs = 150; !existsSync(join(target, "import.tmp")); afterMs += 50) {
    const child = Bun.spawn([BINARY, "snapshot", ...words], { cwd: "/", stdout: "ignore" });
    await Bun.sleep(afterMs);
    child.kill("SIGKILL");
    await child.exited;
    // Finished before the kill: the test needs a chain that takes longer.
    if (existsSync(join(target, "chain.db"))) throw new TypeError("it has come to its end");
  }
  const node = ["node", "--preset", "devnet", "--metrics-port", "off", "--base-path", target];
  const refused = await runCommand(node);
  expect(refused.output).toContain("did not finish; run `appchain snapshot import` again");
  expect(refused.exitCode).toBe(1);
  const done = await snapshot(words);
  expect(done.output).toContain(`newest_block: ${BLOCKS}`);
  expect(done.exitCode).toBe(0);
  expect(existsSync(join(target, "import.tmp"))).toBe(false);
  expect((await check(target)).exitCode).toBe(0);
  const twice = await snapshot(words);
  expect(twice.output).toContain("already contains a chain, or a part of one");
  expect(twice.exitCode).toBe(1);
}, 60_000);

test("wrong input is named, and nothing is left behind", async () => {
  const target = folder.file("wrong/chain");
  const base = ["--base-path", target];
  const untold = await snapshot(["import", "/nowhere", ...base]);
  expect(untold.output).toContain("a snapshot proves nothing by itself");
  expect(untold.exitCode).toBe(2);
  const other = await snapshot(["import", exported, "--block-hash", "0x1234", ...base]);
  expect(other.output).toContain(`manifest.json: block_hash: expected 0x1234, found ${hash}`);
  expect(other.exitCode).toBe(1);
  const damaged = folder.file("damaged");
  mkdirSync(damaged);
  for (const name of readdirSync(exported)) {
    const bytes = readFileSync(join(exported, name));
    const at = bytes.length >> 1;
    if (name.startsWith("storage")) bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(damaged, name), bytes);
  }
  const flipped = await snapshot(["import", damaged, "--block-hash", hash, ...base]);
  expect(flipped.output).toContain("storage-000000.bin: expected SHA-256 ");
  expect(flipped.exitCode).toBe(1);
  const signed = await snapshot(["import", exported, "--public-key", "0x5", ...base]);
  expect(signed.output).toContain("block-000000.bin: signature: expected one of block ");
  expect(signed.exitCode).toBe(1);
  const preset = await snapshot(["import", exported, "--preset", "sepolia", ...base]);
  expect(preset.output).toContain("manifest.json: chain_id: expected SN_SEPOLIA");
  expect(existsSync(folder.file("wrong"))).toBe(false);
}, 60_000);
