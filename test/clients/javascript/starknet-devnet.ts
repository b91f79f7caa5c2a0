/**
 * Runs the client starknet-devnet against a development chain: it mints and reads, dumps, restarts,
 * and loads the dump.
 *
 * Environment: CLIENT_URL, CLIENT_ADDRESS, CLIENT_PRIVATE_KEY, CLIENT_TOKEN, CLIENT_ROUNDS (default
 * 15). Prints a line for each step; exits with 1 at the first that fails.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Account, logger, RpcProvider } from "starknet";
import { Devnet, DevnetProvider } from "starknet-devnet";
import { checks, clientEnvironment } from "./check.ts";

const HOLDER = "0x1234567894";

// The client warns about blocks with too few tips for an estimate.
logger.setLogLevel("ERROR");
const check = checks("starknet-devnet");
const { url, address, privateKey, token, rounds } = clientEnvironment();
const devnet = new DevnetProvider({ url });
const provider = new RpcProvider({ nodeUrl: url });
const account = new Account({ provider, address, signer: privateKey });

async function balance(): Promise<bigint> {
  const call = { contractAddress: token, entrypoint: "balance_of", calldata: [HOLDER] };
  const [low = "0"] = await provider.callContract(call, "latest");
  return BigInt(low);
}

check("is alive", await devnet.isAlive());
await devnet.restart();
check("restarted", (await provider.getBlockNumber()) === 0);

let stale = 0;
for (let minted = 1n; minted <= rounds; minted++) {
  await devnet.mint(HOLDER, 7n);
  if ((await balance()) !== minted * 7n) stale++;
}
check(`minted ${rounds} times, and read the balance after each`, stale === 0);

for (let i = 0; i < rounds; i++) {
  await account.execute({
    contractAddress: token,
    entrypoint: "transfer",
    calldata: [HOLDER, "1", "0"],
  });
}
const held = BigInt(rounds) * 8n;
check(`executed ${rounds} times without waiting`, (await balance()) === held);

const { block_hash: hash } = await devnet.createBlock();
const newest = await provider.getBlockWithTxHashes("latest");
check("made a block, and read it", "block_hash" in newest && newest.block_hash === hash);

const folder = mkdtempSync(join(tmpdir(), "appchain-client-"));
const path = join(folder, "dump.json");
await devnet.dump(path);
await devnet.restart();
check("dumped and restarted", (await balance()) === 0n);
await devnet.load(path);
const loaded = await provider.getBlockWithTxHashes("latest");
const loadedHash = "block_hash" in loaded ? loaded.block_hash : undefined;
const same = `the newest block of the dump, ${newest.block_number} ${hash}`;
check(`loaded ${same}: found ${loaded.block_number} ${loadedHash}`, loadedHash === hash);
const loadedBalance = await balance();
check(`loaded the balance ${held}: found ${loadedBalance}`, loadedBalance === held);
rmSync(folder, { recursive: true });

const time = loaded.timestamp + 100_000;
const set = await devnet.setTime(time, { generateBlock: true });
const timed = await provider.getBlockWithTxHashes("latest");
check(
  "set the time of a block",
  "block_hash" in timed && timed.block_hash === set.block_hash && timed.timestamp === time,
);

// No client has this method.
await fetch(url, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "devnet_acceptOnL1" },
    params: { starting_block_id: "latest" },
  }),
});
const settled = await provider.getBlockWithTxHashes(0);
check("accepted on L1", settled.status === "ACCEPTED_ON_L1");
await devnet.restart();
const again = await provider.getBlockWithTxHashes(0);
check("restarted, and not accepted on L1", again.status === "ACCEPTED_ON_L2");

// A link gives the program the name that the client starts.
const links = mkdtempSync(join(tmpdir(), "appchain-client-"));
const command = join(links, "appchain-devnet");
symlinkSync(resolve("dist/appchain"), command);
const spawned = await Devnet.spawnCommand(command, {
  args: ["--seed", "0", "--accounts", "1"],
  stdout: "ignore",
  stderr: "ignore",
  maxStartupMillis: 30_000,
});
const [spawnedAccount] = await spawned.provider.getPredeployedAccounts();
spawned.kill();
rmSync(links, { recursive: true });
// As starknet-devnet prints it for seed 0.
const expected = "0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691";
const made = `0x${BigInt(spawnedAccount?.address ?? 0).toString(16)}`;
check("spawned, with the account of the seed", made === expected);
