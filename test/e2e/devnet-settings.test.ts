import { expect, test } from "bun:test";
import { resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { writeOtherClass } from "#test/helpers/other-class.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useDevnets } from "#test/helpers/use-devnets.ts";

const start = useDevnets();
const folder = useFolder();

async function timeOf(chain: RunningChain, id: unknown): Promise<number> {
  const block = await resultOf<{ timestamp: number }>(chain, "starknet_getBlockWithTxHashes", [id]);
  return block.timestamp;
}

test("a chain keeps the given id and start time, also after restarts", async () => {
  const args = ["--chain-id", "TESTNET", "--start-time", "1000000", "--lite-mode"];
  const run = await start(args);
  const { chain } = run;
  expect(await resultOf<string>(chain, "starknet_chainId")).toBe("0x534e5f5345504f4c4941");
  expect(chain.output()).toContain("--lite-mode has no effect");
  await chain.account(0).execute(transferCall("0x77", 1n));
  expect(await timeOf(chain, { block_number: 0 })).toBe(1_000_000);
  const latest = await timeOf(chain, "latest");
  expect(latest).toBeWithin(1_000_000, 1_001_000);
  const config = await resultOf<object>(chain, "devnet_getConfig");
  expect(config).toMatchObject({ start_time: 1_000_000, chain_id: "SN_SEPOLIA" });
  await run.devnet.setTime(5_000_000);
  await run.devnet.restart();
  await run.devnet.createBlock();
  expect(await timeOf(chain, "latest")).toBeWithin(1_000_000, 1_001_000);
  await resultOf(chain, "devnet_setTime", { time: 2_000_000 });
  await chain.stop();

  await chain.start();
  await run.devnet.createBlock();
  expect(await timeOf(chain, "latest")).toBeWithin(2_000_000, 2_001_000);
  await chain.stop();
  for (const [other, text] of [
    [["--chain-id", "MAINNET", "--start-time", "1000000"], "SN_SEPOLIA"],
    [["--chain-id", "TESTNET", "--start-time", "1000001"], "the time 1000000, not 1000001"],
  ] as const) {
    const refused: unknown = await chain.start({ args: other }).catch((error: unknown) => error);
    expect(String(refused)).toContain(text);
  }
}, 120_000);

test("a chain has accounts of the given class and predeclares others in block 0", async () => {
  const accountFile = folder.file("account.sierra.json");
  const declaredFile = folder.file("token.contract_class.json");
  const accountClass = writeOtherClass("account", accountFile);
  const declared = writeOtherClass("erc20", declaredFile);
  const args = ["--account-class", accountFile, "--predeclare-class", declaredFile];
  const run = await start(args);
  const { chain } = run;
  for (let round = 1; round <= 2; round++) {
    if (round > 1) await chain.start();
    const { address = "" } = chain.accounts[0] ?? {};
    const at = await resultOf<string>(chain, "starknet_getClassHashAt", ["latest", address]);
    expect(BigInt(at)).toBe(BigInt(accountClass));
    const found = await resultOf<object>(chain, "starknet_getClass", [
      { block_number: 0 },
      declared,
    ]);
    expect(found).toHaveProperty("sierra_program");
    await chain.account(0).execute(transferCall("0x77", 7n));
    await run.devnet.mint("0x78", 5n);
    expect(await strkBalance(chain.provider, "0x77")).toBe(7n * BigInt(round));
    expect(await strkBalance(chain.provider, "0x78")).toBe(5n * BigInt(round));
    await chain.stop();
  }
}, 120_000);
