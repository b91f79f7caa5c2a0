import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { hash } from "starknet";
import { DevnetProvider } from "starknet-devnet";
import {
  rawCall,
  removeFolder,
  type RunningChain,
  startChain,
  type StartOptions,
  temporaryFolder,
} from "#test/helpers/binary.ts";
import { strkBalance, transferCall } from "#test/helpers/tokens.ts";

const folders: string[] = [];
const chains: RunningChain[] = [];

afterAll(async () => {
  await Promise.all(chains.map((chain) => chain.stop("SIGKILL")));
  folders.forEach(removeFolder);
});

function folder(): string {
  const made = temporaryFolder();
  folders.push(made);
  return made;
}

async function start(args: readonly string[], options: Partial<StartOptions> = {}) {
  const chain = await startChain({ basePath: folder(), args, ...options });
  chains.push(chain);
  return { chain, devnet: new DevnetProvider({ url: chain.url }) };
}

async function resultOf<T>(chain: RunningChain, method: string, params: unknown = []): Promise<T> {
  const { result, error } = await rawCall(chain.url, method, params);
  expect(error).toBeUndefined();
  return result as T;
}

async function timeOf(chain: RunningChain, id: unknown): Promise<number> {
  const block = await resultOf<{ timestamp: number }>(chain, "starknet_getBlockWithTxHashes", [id]);
  return block.timestamp;
}

test("a chain has the id and the first moment that it was told, and goes on from there", async () => {
  const basePath = folder();
  const args = ["--chain-id", "TESTNET", "--start-time", "1000000", "--lite-mode"];
  const first = await start(args, { basePath });
  expect(await resultOf<string>(first.chain, "starknet_chainId")).toBe("0x534e5f5345504f4c4941");
  expect(first.chain.output()).toContain("--lite-mode has no effect");
  await first.chain.account(0).execute(transferCall("0x77", 1n));
  expect(await timeOf(first.chain, { block_number: 0 })).toBe(1_000_000);
  const latest = await timeOf(first.chain, "latest");
  expect(latest).toBeWithin(1_000_000, 1_001_000);
  const config = await resultOf<object>(first.chain, "devnet_getConfig");
  expect(config).toMatchObject({ start_time: 1_000_000, chain_id: "SN_SEPOLIA" });
  await first.devnet.setTime(5_000_000);
  await first.devnet.restart();
  await first.devnet.createBlock();
  expect(await timeOf(first.chain, "latest")).toBeWithin(1_000_000, 1_001_000);
  await resultOf(first.chain, "devnet_setTime", { time: 2_000_000 });
  await first.chain.stop();

  const again = await start(args, { basePath });
  await again.devnet.createBlock();
  expect(await timeOf(again.chain, "latest")).toBeWithin(2_000_000, 2_001_000);
  await again.chain.stop();
  for (const [other, text] of [
    [["--chain-id", "MAINNET", "--start-time", "1000000"], "SN_SEPOLIA"],
    [["--chain-id", "TESTNET", "--start-time", "1000001"], "the time 1000000, not 1000001"],
  ] as const) {
    const refused: unknown = await start(other, { basePath }).catch((error: unknown) => error);
    expect(String(refused)).toContain(text);
  }
}, 120_000);

const CONTRACTS = resolve(import.meta.dir, "../../contracts/l2");

/** A class with the same code as one that is shipped and another class hash: its ABI is empty. */
function otherClass(name: string, path: string): string {
  const sierra = JSON.parse(readFileSync(join(CONTRACTS, `${name}.sierra.json`), "utf8")) as object;
  const other = { ...sierra, abi: "[]" };
  writeFileSync(path, JSON.stringify(other));
  return hash.computeContractClassHash(JSON.stringify({ ...other, abi: [] }));
}

test("a chain has accounts of the class that it was told, and declares others, in block 0", async () => {
  const basePath = folder();
  const accountFile = join(folder(), "account.sierra.json");
  const declaredFile = join(folder(), "token.contract_class.json");
  const accountClass = otherClass("account", accountFile);
  const declared = otherClass("erc20", declaredFile);
  const args = ["--account-class", accountFile, "--predeclare-class", declaredFile];
  for (let run = 1; run <= 2; run++) {
    const { chain, devnet } = await start(args, { basePath });
    const { address = "" } = chain.accounts[0] ?? {};
    const at = await resultOf<string>(chain, "starknet_getClassHashAt", ["latest", address]);
    expect(BigInt(at)).toBe(BigInt(accountClass));
    const found = await resultOf<object>(chain, "starknet_getClass", [
      { block_number: 0 },
      declared,
    ]);
    expect(found).toHaveProperty("sierra_program");
    await chain.account(0).execute(transferCall("0x77", 7n));
    await devnet.mint("0x78", 5n);
    expect(await strkBalance(chain.provider, "0x77")).toBe(7n * BigInt(run));
    expect(await strkBalance(chain.provider, "0x78")).toBe(5n * BigInt(run));
    await chain.stop();
  }
}, 120_000);
