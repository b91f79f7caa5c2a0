import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { loadChainConfig } from "#protocol/config/index.ts";
import { publicKey, storageVariableKey } from "#protocol/crypto/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { contractAddress } from "#protocol/chain/index.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import { buildGenesis, devFaucet } from "#services/sequencer/index.ts";
import { FAUCET_BALANCE } from "#services/sequencer/dev-faucet.ts";
import { withSystemClasses } from "#app/cli/system-classes.ts";
import { legacyClassText } from "#test/helpers/legacy-class.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { ownSeed } from "#test/helpers/own-seed.ts";

const MINTER = storageVariableKey("ERC20_permitted_minter");

async function genesis(options = { faucet: false }) {
  const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const dev = { count: 2, seed: ownSeed(0n), balance: 7n };
  const built = buildGenesis(config, dev, await genesisClassSource(config), options);
  if (built === undefined) throw new TypeError("devnet has a genesis");
  return { ...built, config };
}

test("the faucet has the address that a deploy-account transaction gives", () => {
  const { address, privateKey, publicKey: key } = devFaucet(0x5n);
  expect(key).toBe(publicKey(privateKey));
  expect(address).toBe(contractAddress(0n, key, 0x5n, [key]));
});

describe("the genesis of a development chain", () => {
  test("has a faucet that can mint both tokens and pay fees", async () => {
    const { stateDiff, classHashes, config } = await genesis({ faucet: true });
    const account = classHashes.get("account") ?? 0n;
    const faucet = devFaucet(account);
    expect(stateDiff.deployedContracts.get(faucet.address)).toBe(account);
    expect(
      stateDiff.storageDiffs.get(faucet.address)?.get(storageVariableKey("Account_public_key")),
    ).toBe(faucet.publicKey);
    for (const token of [config.nativeFeeTokenAddress, config.parentFeeTokenAddress]) {
      expect(stateDiff.storageDiffs.get(token)?.get(MINTER)).toBe(faucet.address);
    }
    const strk = stateDiff.storageDiffs.get(config.nativeFeeTokenAddress);
    expect(strk?.get(storageVariableKey("ERC20_balances", faucet.address))).toBe(FAUCET_BALANCE);
    expect(strk?.get(storageVariableKey("ERC20_total_supply"))).toBe(14n + FAUCET_BALANCE);
  });

  test("has no faucet by default", async () => {
    const { stateDiff, classHashes, config } = await genesis();
    const { address } = devFaucet(classHashes.get("account") ?? 0n);
    expect(stateDiff.deployedContracts.has(address)).toBe(false);
    expect(stateDiff.storageDiffs.get(config.nativeFeeTokenAddress)?.has(MINTER)).toBe(false);
  });

  test("lets the faucet mint a token of a class from a file, at either minter key", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("strk.json"), legacyClassText(["transfer", "permissionedMint"]));
    const { config } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
    const made = withSystemClasses(config, folder.path, (why) => new ConfigError(why));
    const built = buildGenesis(made, null, await genesisClassSource(made), { faucet: true });
    const { address } = devFaucet(built?.classHashes.get("account") ?? 0n);
    const cells = built?.stateDiff.storageDiffs.get(config.nativeFeeTokenAddress);
    const starkgate = storageVariableKey("permitted_minter");
    expect([cells?.get(MINTER), cells?.get(starkgate)]).toEqual([address, address]);
    const shipped = built?.stateDiff.storageDiffs.get(config.parentFeeTokenAddress);
    expect([shipped?.get(MINTER), shipped?.get(starkgate)]).toEqual([address, undefined]);
  });
});
