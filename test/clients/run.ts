/**
 * Starts a devnet chain from `dist/appchain`, a full node that follows it, and a fork of it, and
 * runs a command against each of them for each client, in turn. `scripts/test-clients` installs the clients and
 * calls this.
 *
 * Arguments: for each client its name, the path of its specification version, and its command. A
 * client without a path needs development methods.
 */
import { resolve } from "node:path";
import { startChain } from "#test/helpers/binary.ts";
import { startFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { STRK } from "#test/helpers/tokens.ts";

const TIMEOUT_MS = 120_000;

using folder = temporaryFolder();
using nodeFolder = temporaryFolder();
const gateway = await withGateway();
const chain = await startChain({
  basePath: folder.path,
  args: ["--dump-on", "request", "--dev-accounts", "20", ...gateway.args],
});
const node = await startFollower(nodeFolder.path, { gateways: [gateway.url] });
await waitForBlock(node, 0);
using forkFolder = temporaryFolder();
const fork = await startChain({
  basePath: forkFolder.path,
  args: ["--fork-url", `${chain.url}/rpc/v0_10`, "--dev-accounts", "20", "--dev-seed", "99"],
});
/** The account of the origin is the last one: no client has its key. */
const OF_A_FORK = {
  CLIENT_WHALE: chain.accounts.at(-1)?.address ?? "",
  CLIENT_CONTRACTS: resolve(import.meta.dir, "../../contracts/l2"),
};
const given = process.argv.slice(2);
let failed = 0;
let account = 0;

async function run(
  name: string,
  url: string,
  command: string,
  awaits: boolean,
  accounts = chain.accounts,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { address = "", private_key: privateKey = "" } = accounts[account++] ?? {};
  const child = Bun.spawn(command.split(" "), {
    env: {
      ...process.env,
      CLIENT_URL: url,
      CLIENT_AWAITS: String(awaits),
      CLIENT_ADDRESS: address,
      CLIENT_PRIVATE_KEY: privateKey,
      CLIENT_TOKEN: STRK,
      ...more,
    },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    timeout: TIMEOUT_MS,
  });
  const code = await child.exited;
  console.log(`${name}: ${code === 0 ? "ok" : `FAILED (exit code ${code})`}`);
  if (code !== 0) failed++;
}

for (let i = 0; i + 2 < given.length; i += 3) {
  const [name = "", path = "", command = ""] = given.slice(i, i + 3);
  // The full node and the fork first: this client restarts the chain.
  if (path !== "") {
    await run(`${name} at a full node`, node.url + path, command, true);
    await run(`${name} at a fork`, fork.url + path, command, false, fork.accounts, OF_A_FORK);
  }
  await run(name, chain.url + path, command, false);
}
await node.stop();
await fork.stop();
await chain.stop();
console.log(`${account - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
