import { describe, expect, test } from "bun:test";
import { Account, CallData, ec, hash, stark } from "starknet";
import { ASYNC_SUBMISSION, rawCall, type RunningChain } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { NO_ESTIMATE, ONE_TOKEN, transferCall } from "#test/helpers/tokens.ts";
import { useChains } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

/** Blocks stay open: executed transactions are not committed. */
const OPEN_BLOCKS = ["blocks_on_demand=false", "block_time=1h"];
const MOST = bySize({ quick: 50, full: 150 });
const MOST_PER_ACCOUNT = bySize({ quick: 20, full: 50 });
const LIMITS = [
  `mempool_max_transactions=${MOST}`,
  `mempool_max_transactions_per_account=${MOST_PER_ACCOUNT}`,
  "mempool_full_policy=reject_new",
];
/** Limits below the number of transactions from before the restart. */
const TIGHTER = ["mempool_max_transactions=20", "mempool_max_transactions_per_account=10"];

/** Executed and uncommitted transactions: far above the limit per account. */
const UNCOMMITTED = bySize({ quick: 80, full: 300 });
const UNEXPECTED_ERROR = 63;
const WAITING = ["RECEIVED", "CANDIDATE"];
const RECEIVED = [...WAITING, "PRE_CONFIRMED", "ACCEPTED_ON_L2"];

const overrides = (fields: readonly string[]) =>
  fields.flatMap((field) => ["--chain-config-override", field]);

/** Hashes of all acknowledged transactions. */
let received: string[];

async function post(
  chain: RunningChain,
  body: string,
): Promise<{ result?: { transaction_hash: string }; error?: { code: number; data?: unknown } }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(chain.url, { method: "POST", headers, body });
  return (await response.json()) as Awaited<ReturnType<typeof post>>;
}

/** Sends a transfer of account `index`. @returns the error code; 0 if it was received */
async function send(chain: RunningChain, index: number, nonce: number): Promise<number> {
  const signer = chain.signer(index);
  const { body } = signedTransfer("APPCHAIN_DEVNET", signer, BigInt(nonce), 0xabcn);
  const { result, error } = await post(chain, body);
  if (result !== undefined) received.push(result.transaction_hash);
  return error?.code ?? 0;
}

async function statusOf(chain: RunningChain, transaction: string): Promise<string> {
  const { result, error } = await rawCall(chain.url, "starknet_getTransactionStatus", [
    transaction,
  ]);
  const status = (result as { finality_status?: string } | undefined)?.finality_status;
  return status ?? JSON.stringify(error);
}

/** Sends consecutive transfers; retries while the account has too many in the mempool. */
async function sendChain(chain: RunningChain, index: number, length: number): Promise<void> {
  for (let nonce = 0; nonce < length; nonce++) {
    while ((await send(chain, index, nonce)) !== 0) await Bun.sleep(20);
  }
}

/** Fills the mempool with transactions behind a nonce gap. */
async function fillMempool(chain: RunningChain): Promise<number> {
  for (let index = 5; index < 10; index++) {
    for (let nonce = 1; nonce < MOST_PER_ACCOUNT; nonce++) {
      const code = await send(chain, index, nonce);
      if (code === UNEXPECTED_ERROR) return index;
      expect(code).toBe(0);
    }
  }
  throw new RangeError("the mempool is not full");
}

/** Funds, deploys and uses an account; all of that stays uncommitted. */
async function deployChain(chain: RunningChain): Promise<void> {
  const funder = chain.account(1);
  const privateKey = stark.randomAddress();
  const publicKey = ec.starkCurve.getStarkKey(privateKey);
  const classHash = await chain.provider.getClassHashAt(funder.address);
  const constructorCalldata = CallData.compile([publicKey]);
  const parts = [publicKey, classHash, constructorCalldata, 0] as const;
  const address = hash.calculateContractAddressFromHash(...parts);
  const funded = await funder.execute(transferCall(address, 10n * ONE_TOKEN), NO_ESTIMATE);
  received.push(funded.transaction_hash);
  while (WAITING.includes(await statusOf(chain, funded.transaction_hash))) await Bun.sleep(20);
  const account = new Account({ provider: chain.provider, address, signer: privateKey });
  const deployment = { classHash, constructorCalldata, addressSalt: publicKey };
  const deployed = await account.deployAccount(deployment, NO_ESTIMATE);
  received.push(deployed.transaction_hash);
  while (WAITING.includes(await statusOf(chain, deployed.transaction_hash))) await Bun.sleep(20);
  for (let nonce = 1; nonce < 5; nonce++) {
    const call = transferCall("0xabc", BigInt(nonce));
    const { transaction_hash } = await account.execute(call, { ...NO_ESTIMATE, nonce });
    received.push(transaction_hash);
  }
}

/** Transactions that did not succeed in an accepted block within a generous time. */
async function unfinished(chain: RunningChain): Promise<string[]> {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const open: string[] = [];
    for (const each of received) {
      const { result, error } = await rawCall(chain.url, "starknet_getTransactionStatus", [each]);
      const { finality_status, execution_status } = (result ?? {}) as Record<string, string>;
      if (finality_status === "ACCEPTED_ON_L2" && execution_status === "SUCCEEDED") continue;
      open.push(`${received.indexOf(each)} ${each} ${JSON.stringify(result ?? error)}`);
    }
    if (open.length === 0 || Date.now() > deadline) return open;
    await Bun.sleep(200);
  }
}

const start = useChains();

describe.each(["SIGKILL", "SIGTERM"] as const)("a restart after %s", (signal) => {
  test("loses no acknowledged transaction: not above limits, not in chains, not behind gaps", async () => {
    received = [];
    const chain = await start({
      env: ASYNC_SUBMISSION,
      args: overrides([...OPEN_BLOCKS, ...LIMITS]),
    });
    const head = (await rawCall(chain.url, "starknet_blockNumber")).result;
    await Promise.all([sendChain(chain, 0, UNCOMMITTED), deployChain(chain)]);
    const lastGap = await fillMempool(chain);
    expect((await rawCall(chain.url, "starknet_blockNumber")).result).toBe(head);
    await chain.stop(signal);

    await chain.start({ args: overrides(TIGHTER) });
    for (const each of received) {
      expect([each, RECEIVED.includes(await statusOf(chain, each))]).toEqual([each, true]);
    }
    await chain.stop(signal);

    await chain.start({});
    for (let index = 5; index <= lastGap; index++) expect(await send(chain, index, 0)).toBe(0);
    expect(await unfinished(chain)).toEqual([]);
    expect(await chain.stop()).toBe(0);
  }, 400_000);
});
