import { describe, expect, test } from "bun:test";
import { Account, CallData, ec, hash, stark } from "starknet";
import { rawCall } from "#test/helpers/binary.ts";
import { NO_ESTIMATE, ONE_TOKEN, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const RECIPIENT = "0x1234567890";

const chain = useChain();

/** Receipt of a transaction. */
async function receiptOf(transactionHash: string) {
  const receipt = await chain.provider.getTransactionReceipt(transactionHash);
  return receipt.value as {
    execution_status: string;
    finality_status: string;
    revert_reason?: string;
    block_number: number;
    actual_fee: { amount: string; unit: string };
  };
}

describe("a transfer by a funded account", () => {
  test("is accepted, and the fee in the receipt matches the balance", async () => {
    const account = chain.account(0);
    const before = await strkBalance(chain.provider, account.address);
    const { transaction_hash } = await account.execute(transferCall(RECIPIENT, ONE_TOKEN));
    const receipt = await receiptOf(transaction_hash);
    expect(receipt.execution_status).toBe("SUCCEEDED");
    expect(receipt.finality_status).toBe("ACCEPTED_ON_L2");
    const after = await strkBalance(chain.provider, account.address);
    expect(before - after - ONE_TOKEN).toBe(BigInt(receipt.actual_fee.amount));
    expect(receipt.actual_fee.unit).toBe("FRI");
    expect(BigInt(receipt.actual_fee.amount)).toBeGreaterThan(0n);
    expect(await strkBalance(chain.provider, RECIPIENT)).toBe(ONE_TOKEN);
  });

  test("above the balance is reverted with a reason, and uses the nonce and the fee", async () => {
    const account = chain.account(1);
    const before = await strkBalance(chain.provider, account.address);
    const nonce = BigInt(await account.getNonce());
    const call = transferCall(RECIPIENT, before + 1n);
    const { transaction_hash } = await account.execute(call, NO_ESTIMATE);
    const receipt = await receiptOf(transaction_hash);
    expect(receipt.execution_status).toBe("REVERTED");
    expect(receipt.revert_reason).toContain("Transaction execution has failed");
    expect(BigInt(await account.getNonce())).toBe(nonce + 1n);
    const after = await strkBalance(chain.provider, account.address);
    expect(before - after).toBe(BigInt(receipt.actual_fee.amount));
  });

  test("keeps the nonce order when ten are sent concurrently", async () => {
    const account = chain.account(2);
    const nonce = Number(await account.getNonce());
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        account.execute(transferCall(RECIPIENT, BigInt(i + 1)), {
          ...NO_ESTIMATE,
          nonce: nonce + i,
        }),
      ),
    );
    const places: number[] = [];
    for (const { transaction_hash } of sent) {
      const receipt = await receiptOf(transaction_hash);
      expect(receipt.execution_status).toBe("SUCCEEDED");
      const block = await chain.provider.getBlockWithTxHashes(receipt.block_number);
      const index = block.transactions.findIndex(
        (transaction) => BigInt(transaction) === BigInt(transaction_hash),
      );
      places.push(receipt.block_number * 1000 + index);
    }
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe("a new account", () => {
  test("is funded, deploys itself and sends a transfer", async () => {
    const funder = chain.account(3);
    const privateKey = stark.randomAddress();
    const publicKey = ec.starkCurve.getStarkKey(privateKey);
    const classHash = await chain.provider.getClassHashAt(funder.address);
    const constructorCalldata = CallData.compile([publicKey]);
    const address = hash.calculateContractAddressFromHash(
      publicKey,
      classHash,
      constructorCalldata,
      0,
    );
    const funded = await funder.execute(transferCall(address, 10n * ONE_TOKEN), NO_ESTIMATE);
    await receiptOf(funded.transaction_hash);
    const account = new Account({ provider: chain.provider, address, signer: privateKey });
    const deployed = await account.deployAccount(
      { classHash, constructorCalldata, addressSalt: publicKey },
      NO_ESTIMATE,
    );
    // Admission knows the account before its deployment is in a block.
    const moved = await account.execute(transferCall(RECIPIENT, ONE_TOKEN), {
      ...NO_ESTIMATE,
      nonce: 1,
    });
    expect((await receiptOf(deployed.transaction_hash)).execution_status).toBe("SUCCEEDED");
    expect((await receiptOf(moved.transaction_hash)).execution_status).toBe("SUCCEEDED");
    expect(BigInt(await chain.provider.getClassHashAt(address))).toBe(BigInt(classHash));
  });
});

describe("admission rejects, with a reason in data:", () => {
  /** JSON-RPC error of a submission. */
  async function refusal(send: Promise<unknown>): Promise<{ code: number; data: string }> {
    const error = await send.then(
      () => undefined,
      (thrown: { baseError?: { code: number; data?: unknown } }) => thrown.baseError,
    );
    return { code: error?.code ?? 0, data: typeof error?.data === "string" ? error.data : "" };
  }

  test("a transaction that is already in a block, with the block's number", async () => {
    const account = chain.account(5);
    const nonce = BigInt(await account.getNonce());
    const options = { ...NO_ESTIMATE, nonce };
    const call = transferCall(RECIPIENT, 7n);
    const { transaction_hash } = await account.execute(call, options);
    const { block_number } = await receiptOf(transaction_hash);
    const error = await refusal(account.execute(call, options));
    expect(error).toEqual({
      code: 59,
      data: `the transaction is already in block ${block_number}`,
    });
  });

  test("a nonce above the reachable range", async () => {
    const account = chain.account(5);
    const nonce = BigInt(await account.getNonce()) + 1000n;
    const call = transferCall(RECIPIENT, 1n);
    const error = await refusal(account.execute(call, { ...NO_ESTIMATE, nonce }));
    expect(error.code).toBe(52);
    expect(error.data).toContain(`the account can currently use at most nonce ${nonce - 1n}`);
  });

  test("a deployment with a nonce other than 0", async () => {
    const bound = { max_amount: "0x10", max_price_per_unit: "0x10" };
    const transaction = {
      type: "DEPLOY_ACCOUNT",
      version: "0x3",
      signature: ["0x1", "0x2"],
      nonce: "0x1",
      contract_address_salt: "0x9",
      constructor_calldata: ["0x5"],
      class_hash: await chain.provider.getClassHashAt(chain.account(5).address),
      resource_bounds: { l1_gas: bound, l2_gas: bound, l1_data_gas: bound },
      tip: "0x0",
      paymaster_data: [],
      nonce_data_availability_mode: "L1",
      fee_data_availability_mode: "L1",
    };
    const method = "starknet_addDeployAccountTransaction";
    const { error } = await rawCall(chain.url, method, [transaction]);
    expect(error).toMatchObject({
      code: 52,
      data: "a deploy account transaction must have nonce 0, this one has 1",
    });
  });

  test("a wrong signature", async () => {
    const { address } = chain.account(4);
    const wrong = new Account({ provider: chain.provider, address, signer: "0x1" });
    const error = await refusal(wrong.execute(transferCall(RECIPIENT, 1n), NO_ESTIMATE));
    expect(error.code).toBe(55);
    expect(error.data).not.toBe("");
  });

  test("an old nonce", async () => {
    const account = chain.account(5);
    const { transaction_hash } = await account.execute(transferCall(RECIPIENT, 1n), NO_ESTIMATE);
    await receiptOf(transaction_hash);
    const again = account.execute(transferCall(RECIPIENT, 2n), { ...NO_ESTIMATE, nonce: 0 });
    const error = await refusal(again);
    expect(error.code).toBe(52);
    expect(error.data).toContain("nonce");
  });

  test("a bound that is too small", async () => {
    const bounds = {
      ...NO_ESTIMATE.resourceBounds,
      l2_gas: { max_amount: 1n, max_price_per_unit: 1_000_000n },
    };
    const options = { ...NO_ESTIMATE, resourceBounds: bounds };
    const error = await refusal(chain.account(6).execute(transferCall(RECIPIENT, 1n), options));
    expect(error.code).toBe(53);
    expect(error.data).toContain("L2Gas");
  });

  test("an account too poor for its bounds", async () => {
    const bounds = {
      ...NO_ESTIMATE.resourceBounds,
      l2_gas: { max_amount: 20_000_000n, max_price_per_unit: 10n ** 20n },
    };
    const options = { ...NO_ESTIMATE, resourceBounds: bounds };
    const error = await refusal(chain.account(6).execute(transferCall(RECIPIENT, 1n), options));
    expect(error.code).toBe(54);
    expect(error.data).toContain("exceed balance");
  });

  test("zero bounds", async () => {
    const none = { max_amount: 0n, max_price_per_unit: 0n };
    const options = { resourceBounds: { l1_gas: none, l1_data_gas: none, l2_gas: none }, tip: 0n };
    const error = await refusal(chain.account(6).execute(transferCall(RECIPIENT, 1n), options));
    expect(error.code).toBe(53);
  });
});

describe("both method prefixes", () => {
  test("return the same result", async () => {
    const theirs = await rawCall(chain.url, "starknet_chainId");
    const ours = await rawCall(chain.url, "chain_chainId");
    expect(ours.result).toBe(theirs.result);
    expect(ours.result).toBe(`0x${Buffer.from("APPCHAIN_DEVNET").toString("hex")}`);
  });
});
