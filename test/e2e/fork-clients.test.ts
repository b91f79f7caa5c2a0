import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { Account, type Call, hash, json } from "starknet";
import { resultOf } from "#test/helpers/binary.ts";
import { declare, DECLARE_BOUNDS, sierraOf, SMALL_CLASS } from "#test/helpers/declares.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { NO_ESTIMATE, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** A number that the small class keeps. */
const NAME = "0x1234";
const RECIPIENT = "0x1a57";

const setName = (contractAddress: string): Call => ({
  contractAddress,
  entrypoint: "set_name4",
  calldata: [NAME],
});

async function nameOf({ provider }: Account, contractAddress: string): Promise<string> {
  const call = { contractAddress, entrypoint: "get_name4", calldata: [] };
  return (await provider.callContract(call, "latest"))[0] ?? "";
}

/** Executes calls, and waits for their success. */
async function executed(account: Account, calls: Call | Call[]): Promise<void> {
  const { transaction_hash } = await account.execute(calls, NO_ESTIMATE);
  const receipt = await account.provider.waitForTransaction(transaction_hash);
  expect(receipt.isSuccess()).toBe(true);
}

async function deployed(account: Account, classHash: string, salt: string): Promise<string> {
  const { contract_address, transaction_hash } = await account.deploy(
    { classHash, salt, unique: false, constructorCalldata: [] },
    NO_ESTIMATE,
  );
  await account.provider.waitForTransaction(transaction_hash);
  return contract_address[0] ?? "";
}

sharedTest(
  "starknet.js uses contracts and accounts of the origin on a fork",
  async () => {
    const origin = await start();
    const { class_hash: classHash } = await declare(origin.account(0), SMALL_CLASS);
    const old = await deployed(origin.account(0), classHash, "0x1");
    const fork = await start({
      args: ["--fork-url", `${origin.url}/rpc/v0_10`, "--dev-seed", "9"],
    });
    // The key of an account of the origin, with its nonce there.
    const [{ address, private_key: signer } = { address: "", private_key: "" }] = origin.accounts;
    const account = new Account({ provider: fork.provider, address, signer });
    expect(BigInt(await account.getNonce("latest"))).toBe(2n);

    const fresh = await deployed(account, classHash, "0x2");
    await executed(account, [setName(old), setName(fresh), transferCall(RECIPIENT, 5n)]);
    expect([await nameOf(account, old), await nameOf(account, fresh)]).toEqual([NAME, NAME]);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(5n);
    expect(await nameOf(origin.account(0), old)).toBe("0x0");

    const estimate = await account.estimateInvokeFee(setName(old));
    expect(estimate.overall_fee).toBeGreaterThan(0n);
    const { simulated_transactions } = await account.simulateTransaction([
      { type: "INVOKE", payload: [setName(old)] },
    ]);
    expect(simulated_transactions[0]?.transaction_trace).toMatchObject({ type: "INVOKE" });

    const whale = origin.accounts[3]?.address ?? "";
    await resultOf(fork, "devnet_impersonateAccount", { account_address: whale });
    const keyless = new Account({ provider: fork.provider, address: whale, signer: "0x1" });
    await executed(keyless, transferCall(RECIPIENT, 7n));
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(12n);
    await resultOf(fork, "devnet_stopImpersonateAccount", { account_address: whale });
    const refused = keyless.execute(transferCall(RECIPIENT, 7n), NO_ESTIMATE);
    expect(refused).rejects.toThrow("validat");
    await Bun.sleep(0);

    const other = { ...sierraOf(SMALL_CLASS), abi: [] };
    const otherHash = hash.computeContractClassHash(other);
    const casm = json.parse(readFileSync(fixturePath("classes", SMALL_CLASS.casm), "utf8"));
    const declared = await fork
      .account(0)
      .declare({ contract: other, casm, classHash: otherHash }, DECLARE_BOUNDS);
    expect(BigInt(declared.class_hash)).toBe(BigInt(otherHash));
    expect(await fork.provider.getClassHashAt(address, "latest")).toBe(
      await origin.provider.getClassHashAt(address, "latest"),
    );
  },
  120_000,
);
