import { afterAll, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { delimiter } from "node:path";
import { Account, RpcProvider } from "starknet";
import { Devnet } from "starknet-devnet";
import { BINARY, rawCall } from "#test/helpers/binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { transferCall } from "#test/helpers/tokens.ts";

const folder = useFolder();
const started: Devnet[] = [];
const path = process.env["PATH"];

afterAll(() => {
  for (const devnet of started) devnet.kill();
  process.env["PATH"] = path;
});

/** Starts a devnet with starknet-devnet's npm package, as its users do. */
async function spawn(...args: readonly string[]): Promise<Devnet> {
  const devnet = await Devnet.spawnCommand("appchain-devnet", {
    args: [...args],
    stdout: "ignore",
    stderr: "ignore",
    maxStartupMillis: 30_000,
  });
  started.push(devnet);
  return devnet;
}

test("starknet-devnet's npm package starts two devnets through the command appchain-devnet", async () => {
  symlinkSync(BINARY, folder.file("appchain-devnet"));
  process.env["PATH"] = [folder.path, path].join(delimiter);
  process.env["APPCHAIN_WARM_UP_TRANSFERS"] = "0";
  const [first, second] = [
    await spawn("--seed", "0", "--accounts", "2", "--initial-balance", "1000000000000000000000"),
    await spawn("--seed", "1", "--accounts", "1", "--gas-price", "7", "--gas-price-fri", "8"),
  ];
  const [account, other] = await first.provider.getPredeployedAccounts();
  // As starknet-devnet 0.10.1 prints it for --seed 0.
  expect(BigInt(account?.address ?? 0)).toBe(
    0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691n,
  );
  const rpc = new RpcProvider({ nodeUrl: `${first.provider.url}/rpc` });
  const sender = new Account({
    provider: rpc,
    address: account?.address ?? "",
    signer: account?.private_key ?? "",
  });
  const { transaction_hash: hash } = await sender.execute(transferCall(other?.address ?? "", 5n), {
    tip: 0,
  });
  const receipt = await rpc.getTransactionReceipt(hash);
  expect(receipt).toMatchObject({ execution_status: "SUCCEEDED" });
  // A transaction with a nonce gap.
  const bound = { max_amount: 10n ** 7n, max_price_per_unit: 10n ** 9n };
  const resourceBounds = { l1_gas: bound, l2_gas: bound, l1_data_gas: bound };
  const ahead = { nonce: 5, tip: 0, resourceBounds };
  const { transaction_hash: early } = await sender.execute(transferCall("0x1", 1n), ahead);
  const ask = (method: string) => rawCall(`${first.provider.url}/rpc`, method, []);
  expect((await ask("txpool_status")).result).toEqual({ pending: 0, queued: 1 });
  const content = (await ask("txpool_content")).result as { readonly queued: object };
  expect(Object.values(content.queued)).toMatchObject([{ "0x5": { hash: early, nonce: "0x5" } }]);
  expect((await ask("node_getInfo")).result).toMatchObject({ chainKind: "Dev" });
  const config = await second.provider.getConfig();
  expect(config).toMatchObject({
    seed: 1,
    total_accounts: 1,
    gas_price_wei: 7,
    gas_price_fri: 8,
    chain_id: "SN_SEPOLIA",
  });
}, 90_000);

test("a restart keeps the prices of the command line", async () => {
  const devnet = await spawn("--l2-gas-price-fri", "9");
  await devnet.provider.setGasPrice({ l2GasPriceFri: 10 } as never);
  await devnet.provider.restart();
  expect(await devnet.provider.getConfig()).toMatchObject({ l2_gas_price_fri: 9 });
}, 60_000);
