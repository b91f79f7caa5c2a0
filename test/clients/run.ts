/**
 * Starts a devnet chain from `dist/appchain` and runs a command against it for each client, in turns.
 * `scripts/test-clients` installs the clients and calls this.
 *
 * Arguments: for each client its name, the path of its interface's version, and its command, as one
 * text each.
 */
import { startChain } from "#test/helpers/binary.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { STRK } from "#test/helpers/tokens.ts";

const TIMEOUT_MS = 120_000;

using folder = temporaryFolder();
const chain = await startChain({ basePath: folder.path, args: ["--dump-on", "request"] });
let failed = 0;
const given = process.argv.slice(2);
for (let i = 0; i + 2 < given.length; i += 3) {
  const [name = "", path = "", command = ""] = given.slice(i, i + 3);
  const { address = "", private_key: privateKey = "" } = chain.accounts[i / 3] ?? {};
  const child = Bun.spawn(command.split(" "), {
    env: {
      ...process.env,
      CLIENT_URL: chain.url + path,
      CLIENT_ADDRESS: address,
      CLIENT_PRIVATE_KEY: privateKey,
      CLIENT_TOKEN: STRK,
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
await chain.stop();
console.log(`${given.length / 3 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
