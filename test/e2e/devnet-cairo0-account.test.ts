import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { Account, hash } from "starknet";
import { resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { legacyClassText } from "#test/helpers/legacy-class.ts";
import { fixturePath, fixtureTest } from "#test/helpers/shared.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useDevnets } from "#test/helpers/use-devnets.ts";

const start = useDevnets();
const folder = useFolder();

/** Client of the first funded account, with the calldata format of Cairo 0 accounts. */
function firstAccount(chain: RunningChain): Account {
  const { address = "", private_key: signer = "" } = chain.accounts[0] ?? {};
  return new Account({ provider: chain.provider, address, signer, cairoVersion: "0" });
}

test("funded accounts of a Cairo 0 class have the address of their class and send transactions", async () => {
  const text = legacyClassText(["__validate__", "__execute__"]);
  const file = folder.file("account.json");
  writeFileSync(file, text);
  const classHash = hash.computeLegacyContractClassHash(text);
  const args = ["--account-class", file];
  const run = await start(args);
  const { chain } = run;
  for (let round = 1; round <= 2; round++) {
    if (round > 1) await chain.start();
    for (const { address, public_key: key } of chain.accounts) {
      const expected = hash.calculateContractAddressFromHash(key, classHash, [key], 0);
      expect(BigInt(address)).toBe(BigInt(expected));
    }
    const sender = firstAccount(chain);
    const at = await resultOf<string>(chain, "starknet_getClassHashAt", ["latest", sender.address]);
    expect(BigInt(at)).toBe(BigInt(classHash));
    const { transaction_hash } = await sender.execute(transferCall("0x77", 7n));
    const receipt = await resultOf<object>(chain, "starknet_getTransactionReceipt", [
      transaction_hash,
    ]);
    expect(receipt).toMatchObject({ execution_status: "SUCCEEDED" });
    // This account ignores the calls in its calldata.
    expect(await strkBalance(chain.provider, "0x77")).toBe(0n);
    await run.devnet.mint("0x78", 5n);
    expect(await strkBalance(chain.provider, "0x78")).toBe(5n * BigInt(round));
    await chain.stop();
  }
}, 120_000);

test("block 0 declares a Cairo 0 account class, and getClass serves it as one", async () => {
  const text = legacyClassText(["__validate__", "__execute__"]);
  const file = folder.file("served.json");
  writeFileSync(file, text);
  const { chain } = await start(["--account-class", file]);
  const classHash = BigInt(hash.computeLegacyContractClassHash(text));
  const update = await resultOf<{
    state_diff: { deprecated_declared_classes: readonly string[] };
  }>(chain, "starknet_getStateUpdate", [{ block_number: 0 }]);
  expect(update.state_diff.deprecated_declared_classes.map(BigInt)).toEqual([classHash]);
  const served = await resultOf<{ program: string; entry_points_by_type: object }>(
    chain,
    "starknet_getClass",
    ["latest", `0x${classHash.toString(16)}`],
  );
  const program = Bun.gunzipSync(Buffer.from(served.program, "base64"));
  const own = JSON.parse(text) as { program: object; entry_points_by_type: object };
  expect(JSON.parse(new TextDecoder().decode(program))).toEqual({
    ...own.program,
    debug_info: null,
  });
});

fixtureTest("classes/starknet-devnet")(
  "OpenZeppelin's account 0.5.1 signs, at the addresses of starknet-devnet",
  async () => {
    const folders = ["classes", "starknet-devnet", "accounts_artifacts", "OpenZeppelin", "0.5.1"];
    const file = fixturePath(...folders, "Account.cairo", "Account.json");
    const { chain } = await start(["--account-class", file, "--seed", "0"]);
    const sender = firstAccount(chain);
    // As starknet-devnet 0.10.1 prints them for --seed 0 --account-class cairo0.
    expect(BigInt(sender.address)).toBe(
      0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691n,
    );
    expect(await chain.provider.getClassHashAt(sender.address)).toBe(
      "0x4d07e40e93398ed3c76981e72dd1fd22557a78ce36c0515f679e27f0bb5bc5f",
    );
    await sender.execute(transferCall("0x77", 7n));
    expect(await strkBalance(chain.provider, "0x77")).toBe(7n);
    const { private_key: other = "" } = chain.accounts[1] ?? {};
    const thief = new Account({
      provider: chain.provider,
      address: sender.address,
      signer: other,
      cairoVersion: "0",
    });
    const refused: unknown = await thief
      .execute(transferCall("0x77", 7n))
      .catch((error: unknown) => error);
    expect(String(refused)).toContain("is invalid, with respect to the public key");
  },
  120_000,
);
