import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import {
  Account,
  type CompiledSierra,
  hash,
  json,
  type RpcProvider,
  stark,
  TransactionFinalityStatus,
} from "starknet";
import { DevnetProvider } from "starknet-devnet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { NO_ESTIMATE, ONE_TOKEN, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** Key that belongs to no account. */
const WRONG_KEY = "0xbad";
const RECIPIENT = "0x1a57";

interface Trace {
  readonly validate_invocation?: unknown;
  readonly execute_invocation: { readonly revert_reason?: string; readonly result?: unknown };
  readonly fee_transfer_invocation?: unknown;
}

interface Receipt {
  readonly execution_status: string;
  readonly actual_fee: { readonly amount: string };
  readonly execution_resources: { readonly l2_gas: number };
}

/** Client that sends for an account without its key. */
function impostor(chain: RunningChain, index: number): Account {
  const { address } = chain.account(index);
  return new Account({ provider: chain.provider, address, signer: WRONG_KEY });
}

const traceOf = (chain: RunningChain, hashed: string): Promise<Trace> =>
  resultOf(chain, "starknet_traceTransaction", [hashed]);

function receiptOf(chain: RunningChain, hashed: string): Promise<Receipt> {
  return resultOf(chain, "starknet_getTransactionReceipt", [hashed]);
}

/** Error code that a request fails with; 0 if it succeeds. */
async function codeOf(request: Promise<unknown>): Promise<number> {
  try {
    await request;
    return 0;
  } catch (error) {
    return (error as { readonly baseError?: { readonly code?: number } }).baseError?.code ?? -1;
  }
}

/** Simulates a transfer of an account, with validation. */
function simulated(account: Account) {
  const invocation = { type: "INVOKE" as const, payload: [transferCall(RECIPIENT, 1n)] };
  return account.simulateTransaction([invocation], { skipValidate: false });
}

/** Sends a transfer without an estimate. */
const blind = (account: Account) => account.execute(transferCall(RECIPIENT, 1n), NO_ESTIMATE);

/** Estimates a transfer, with validation. */
const estimated = (account: Account) =>
  account.estimateInvokeFee(transferCall(RECIPIENT, 1n), { skipValidate: false });

const nonceOf = async (provider: RpcProvider, address: string): Promise<bigint> =>
  BigInt(await provider.getNonceForAddress(address, "pre_confirmed"));

const VALIDATION_FAILURE = 55;
const TRANSACTION_EXECUTION_ERROR = 41;
const INVALID_NONCE = 52;

describe("an account impersonated by starknet-devnet's client", () => {
  const chain = useChain();
  let devnet: DevnetProvider;
  /** Traces by transaction, as of the time of the impersonation. */
  const traces = new Map<string, Trace>();

  beforeAll(async () => {
    devnet = new DevnetProvider({ url: chain.url });
  }, 60_000);

  test("sends with any signature until the impersonation stops", async () => {
    const account = impostor(chain, 0);
    expect(await codeOf(blind(account))).toBe(VALIDATION_FAILURE);
    expect(await codeOf(estimated(account))).toBe(TRANSACTION_EXECUTION_ERROR);
    await devnet.cheats.impersonateAccount(account.address);
    const { transaction_hash: sent } = await account.execute(transferCall(RECIPIENT, 7n));
    await devnet.cheats.stopImpersonateAccount(account.address);
    expect((await receiptOf(chain, sent)).execution_status).toBe("SUCCEEDED");
    expect(await strkBalance(chain.provider, RECIPIENT)).toBe(7n);
    traces.set(sent, await traceOf(chain, sent));
    expect(await codeOf(blind(account))).toBe(VALIDATION_FAILURE);
    expect(await codeOf(simulated(account))).toBe(TRANSACTION_EXECUTION_ERROR);
  }, 60_000);

  test("pays the fee and uses the nonce as estimated and simulated", async () => {
    const account = impostor(chain, 0);
    await devnet.cheats.impersonateAccount(account.address);
    const before = await strkBalance(chain.provider, account.address);
    const nonce = await nonceOf(chain.provider, account.address);
    const estimate = await estimated(account);
    const { simulated_transactions: simulations } = await simulated(account);
    expect(simulations[0]?.transaction_trace).not.toHaveProperty("validate_invocation");
    const { transaction_hash: sent } = await account.execute(transferCall(RECIPIENT, 1n));
    const receipt = await receiptOf(chain, sent);
    const fee = BigInt(receipt.actual_fee.amount);
    expect(fee).toBeGreaterThan(0n);
    expect(fee).toBeLessThanOrEqual(BigInt(estimate.overall_fee));
    expect(await strkBalance(chain.provider, account.address)).toBe(before - 1n - fee);
    expect(await nonceOf(chain.provider, account.address)).toBe(nonce + 1n);
    const again = account.execute(transferCall(RECIPIENT, 1n), { ...NO_ESTIMATE, nonce });
    expect(await codeOf(again)).toBe(INVALID_NONCE);
    // Validation adds to the gas of other accounts.
    const honest = await chain.account(1).execute(transferCall(RECIPIENT, 1n));
    const full = await receiptOf(chain, honest.transaction_hash);
    expect(receipt.execution_resources.l2_gas).toBeLessThan(full.execution_resources.l2_gas);
    expect(await traceOf(chain, honest.transaction_hash)).toHaveProperty("validate_invocation");
    traces.set(sent, await traceOf(chain, sent));
  }, 60_000);

  test("reverts with a fee if its call fails", async () => {
    const account = impostor(chain, 0);
    const call = transferCall(RECIPIENT, 1n << 200n);
    const { transaction_hash: sent } = await account.execute(call, NO_ESTIMATE);
    const receipt = await receiptOf(chain, sent);
    expect(receipt.execution_status).toBe("REVERTED");
    expect(BigInt(receipt.actual_fee.amount)).toBeGreaterThan(0n);
    traces.set(sent, await traceOf(chain, sent));
  }, 60_000);

  sharedTest(
    "declares a class",
    async () => {
      const path = fixturePath("classes/pathfinder-rpc/storage_access");
      const contract = json.parse(readFileSync(`${path}.json`, "utf8")) as CompiledSierra;
      const casm = json.parse(readFileSync(`${path}.casm`, "utf8"));
      const sent = await impostor(chain, 0).declare({ contract, casm });
      const receipt = await receiptOf(chain, sent.transaction_hash);
      expect(receipt.execution_status).toBe("SUCCEEDED");
      expect(BigInt(sent.class_hash)).toBe(BigInt(hash.computeContractClassHash(contract)));
      traces.set(sent.transaction_hash, await traceOf(chain, sent.transaction_hash));
    },
    60_000,
  );

  test("is deployed without its key", async () => {
    const classHash = await chain.provider.getClassHashAt(chain.account(0).address);
    const publicKey = stark.randomAddress();
    const constructorCalldata = [publicKey];
    const address = hash.calculateContractAddressFromHash(
      publicKey,
      classHash,
      constructorCalldata,
      0,
    );
    await devnet.mint(address, 10n * ONE_TOKEN);
    const account = new Account({ provider: chain.provider, address, signer: WRONG_KEY });
    const payload = { classHash, constructorCalldata, addressSalt: publicKey };
    const refused = account.deployAccount(payload, NO_ESTIMATE);
    expect(await codeOf(refused)).toBe(VALIDATION_FAILURE);
    await devnet.cheats.impersonateAccount(address);
    const { transaction_hash: sent } = await account.deployAccount(payload);
    expect((await receiptOf(chain, sent)).execution_status).toBe("SUCCEEDED");
    expect(BigInt(await chain.provider.getClassHashAt(address))).toBe(BigInt(classHash));
    traces.set(sent, await traceOf(chain, sent));
    const next = await account.execute(transferCall(RECIPIENT, 1n));
    expect((await receiptOf(chain, next.transaction_hash)).execution_status).toBe("SUCCEEDED");
    await devnet.cheats.stopImpersonateAccount(address);
  }, 60_000);

  test("can be any account while all are impersonated", async () => {
    const account = impostor(chain, 5);
    expect(await codeOf(blind(account))).toBe(VALIDATION_FAILURE);
    await devnet.cheats.autoImpersonate();
    const { transaction_hash: sent } = await account.execute(transferCall(RECIPIENT, 1n));
    await devnet.cheats.stopAutoImpersonate();
    expect((await receiptOf(chain, sent)).execution_status).toBe("SUCCEEDED");
    traces.set(sent, await traceOf(chain, sent));
    expect(await codeOf(blind(account))).toBe(VALIDATION_FAILURE);
    // The account that is impersonated by name still is.
    const named = await impostor(chain, 0).execute(transferCall(RECIPIENT, 1n));
    expect((await receiptOf(chain, named.transaction_hash)).execution_status).toBe("SUCCEEDED");
  }, 60_000);

  test("cannot be an address without a deployed contract", async () => {
    const address = "0x9a7e";
    await devnet.mint(address, 10n * ONE_TOKEN);
    await devnet.cheats.impersonateAccount(address);
    const account = new Account({
      provider: chain.provider,
      address,
      signer: WRONG_KEY,
      cairoVersion: "1",
    });
    const sent = account.execute(transferCall(RECIPIENT, 1n), { ...NO_ESTIMATE, nonce: 0 });
    expect(await codeOf(sent)).toBe(VALIDATION_FAILURE);
    await devnet.cheats.stopImpersonateAccount(address);
  }, 60_000);

  test("keeps its traces after the impersonation ends and after a kill", async () => {
    await devnet.cheats.stopImpersonateAccount(chain.account(0).address);
    const check = async (): Promise<void> => {
      for (const [sent, trace] of traces) {
        expect(trace).not.toHaveProperty("validate_invocation");
        expect(trace).toHaveProperty("fee_transfer_invocation");
        expect(await traceOf(chain, sent)).toEqual(trace);
      }
    };
    expect(traces.size).toBeGreaterThanOrEqual(5);
    await check();
    const latest = await chain.provider.getBlockNumber();
    await chain.stop("SIGKILL");
    await chain.start({});
    devnet = new DevnetProvider({ url: chain.url });
    await check();
    for (let number = 1; number <= latest; number++) {
      const id = { block_number: number };
      await resultOf(chain, "starknet_traceBlockTransactions", [id]);
    }
    // Impersonation does not survive a restart.
    expect(await codeOf(blind(impostor(chain, 0)))).toBe(VALIDATION_FAILURE);
  }, 60_000);
});

test("a pending transaction of an impersonated account survives a kill", async () => {
  const chain = await start({ args: ["--block-generation-on", "demand"] });
  const devnet = new DevnetProvider({ url: chain.url });
  const account = impostor(chain, 3);
  await devnet.cheats.impersonateAccount(account.address);
  const { transaction_hash: sent } = await account.execute(transferCall(RECIPIENT, 3n));
  const { transaction_hash: honest } = await chain.account(4).execute(transferCall(RECIPIENT, 1n));
  const states = { successStates: [TransactionFinalityStatus.PRE_CONFIRMED], retryInterval: 50 };
  await chain.provider.waitForTransaction(honest, states);
  const trace = await traceOf(chain, sent);
  expect(trace).not.toHaveProperty("validate_invocation");
  await chain.stop("SIGKILL");
  await chain.start();
  await new DevnetProvider({ url: chain.url }).createBlock();
  expect((await receiptOf(chain, sent)).execution_status).toBe("SUCCEEDED");
  expect(await strkBalance(chain.provider, RECIPIENT)).toBe(4n);
  expect(await traceOf(chain, sent)).toEqual(trace);
  expect(await traceOf(chain, honest)).toHaveProperty("validate_invocation");
}, 60_000);

test("impersonation works on a chain without fees", async () => {
  const chain = await start({ args: ["--no-charge-fee"] });
  const account = impostor(chain, 0);
  await new DevnetProvider({ url: chain.url }).cheats.impersonateAccount(account.address);
  const { transaction_hash: sent } = await account.execute(transferCall(RECIPIENT, 3n));
  expect(await receiptOf(chain, sent)).toMatchObject({
    execution_status: "SUCCEEDED",
    actual_fee: { amount: "0x0" },
  });
  expect(await traceOf(chain, sent)).not.toHaveProperty("validate_invocation");
}, 60_000);

test("another preset has no impersonation methods", async () => {
  const chain = await start({ preset: "sepolia" });
  for (const method of ["impersonateAccount", "autoImpersonate"]) {
    const params = { account_address: "0x1" };
    expect((await rawCall(chain.url, `devnet_${method}`, params)).error?.code).toBe(-32601);
  }
}, 60_000);
