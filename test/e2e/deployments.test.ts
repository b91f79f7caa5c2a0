import { beforeAll, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import {
  accountAddress,
  signedDeployment,
  signedTransfer,
  type SignedTransfer,
} from "#test/helpers/load.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { NO_ESTIMATE, ONE_TOKEN, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { bySize } from "#test/helpers/test-size.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
/** `max_nonce_for_validation_skip` of the chain. */
const MAX_NONCE = 3;
const FLOOD = bySize({ quick: 400, full: 2_000 });
/** Only every n-th order is tested. */
const ORDER_STEP = bySize({ quick: 3, full: 1 });
/** Far above any wait behind such a flood, and below a client's timeout. */
const PATIENCE_MS = stallBoundMs(20_000);

interface Answer {
  readonly result?: { readonly transaction_hash: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

const override = `max_nonce_for_validation_skip=${MAX_NONCE}`;
const chain = useChain({ args: ["--chain-config-override", override] });
let classHash: bigint;
let nextKey = 0x1000n;

beforeAll(async () => {
  classHash = BigInt(await chain.provider.getClassHashAt(chain.accounts[0]?.address ?? ""));
}, 60_000);

/** Keys of accounts that have tokens but are not deployed. */
async function fundedKeys(count: number): Promise<readonly bigint[]> {
  const keys = Array.from({ length: count }, () => nextKey++);
  const calls = keys.map((key) =>
    transferCall(hexFromFelt(accountAddress(classHash, key)), ONE_TOKEN),
  );
  const l2_gas = { ...NO_ESTIMATE.resourceBounds.l2_gas, max_amount: 200_000_000n };
  const resourceBounds = { ...NO_ESTIMATE.resourceBounds, l2_gas };
  const { transaction_hash: hash } = await chain
    .account(0)
    .execute(calls, { ...NO_ESTIMATE, resourceBounds });
  expect((await chain.provider.getTransactionReceipt(hash)).isSuccess()).toBe(true);
  return keys;
}

/** Transfer of an account that is not deployed. */
function transfer(key: bigint, nonce: number, signingKey = key): SignedTransfer {
  const signer = { address: accountAddress(classHash, key), privateKey: signingKey };
  return signedTransfer(CHAIN_ID, signer, BigInt(nonce), 0xabcn);
}

async function post({ body }: Pick<SignedTransfer, "body">): Promise<Answer> {
  return (await (await fetch(chain.url, { method: "POST", body })).json()) as Answer;
}

async function statusOf({ hash }: SignedTransfer): Promise<unknown> {
  const { result, error } = await rawCall(chain.url, "starknet_getTransactionStatus", [
    hexFromFelt(hash),
  ]);
  return result ?? error;
}

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length === 0) yield [];
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

const SUCCEEDED = { finality_status: "ACCEPTED_ON_L2", execution_status: "SUCCEEDED" };

test("a deployment and the account's first invokes are all accepted, in any order of arrival", async () => {
  const nonces = Array.from({ length: MAX_NONCE + 1 }, (_, nonce) => nonce);
  const orders = [...permutations(nonces)].filter((_, i) => i % ORDER_STEP === 0);
  const keys = await fundedKeys(orders.length);
  // Sequential: an invoke waits a second for its deployment, which a busy machine may miss.
  for (const [i, order] of orders.entries()) {
    const key = keys[i] ?? 0n;
    const sent = order.map((nonce) =>
      nonce === 0 ? signedDeployment(CHAIN_ID, classHash, key) : transfer(key, nonce),
    );
    const answers = await Promise.all(sent.map(post));
    expect([order, answers.map(({ error }) => error)]).toEqual([order, sent.map(() => undefined)]);
    // The response waits for the block, or comes earlier while the previous nonce is missing.
    const last = transfer(key, MAX_NONCE + 1);
    expect((await post(last)).error).toBeUndefined();
    for (const one of [...sent, last]) expect(await statusOf(one)).toEqual(SUCCEEDED);
  }
}, 120_000);

test("an invoke that arrives before the deployment is validated when it is executed", async () => {
  const [key = 0n] = await fundedKeys(1);
  const [good, forged] = [transfer(key, 1), transfer(key, 2, 0xbadn)];
  // They wait for the deployment: later invokes are validated on arrival.
  const early = [good, forged].map(post);
  await Bun.sleep(50);
  const answers = await Promise.all([post(signedDeployment(CHAIN_ID, classHash, key)), ...early]);
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(await statusOf(good)).toEqual(SUCCEEDED);
  expect(await statusOf(forged)).toMatchObject({ data: expect.stringContaining("rejected: ") });
  // The forged transaction charged no fee and used no nonce.
  const honest = transfer(key, 2);
  expect((await post(honest)).error).toBeUndefined();
  expect(await statusOf(honest)).toEqual(SUCCEEDED);
}, 60_000);

test("an invoke without a deployment, or above the nonce limit, is rejected as not deployed", async () => {
  const [key = 0n] = await fundedKeys(1);
  const poor = nextKey++;
  const [early, beyond, unfunded] = await Promise.all([
    post(transfer(key, 1)),
    post(transfer(key, MAX_NONCE + 1)),
    post(transfer(poor, 1)),
  ]);
  for (const { error } of [early, beyond]) {
    expect([error?.code, String(error?.data)]).toEqual([
      55,
      expect.stringContaining("is not deployed"),
    ]);
  }
  // Insufficient balance is detected immediately.
  expect(unfunded?.error?.code).toBe(54);
  const deployment = signedDeployment(CHAIN_ID, classHash, key);
  expect((await post(deployment)).error).toBeUndefined();
  const late = transfer(key, 1);
  expect((await post(late)).error).toBeUndefined();
  expect(await statusOf(late)).toEqual(SUCCEEDED);
}, 60_000);

test("a flood of invokes for an account that is never deployed delays nobody else", async () => {
  const [flooding = 0n, honest = 0n] = await fundedKeys(2);
  const flood = Array.from({ length: FLOOD }, (_, i) =>
    post(transfer(flooding, 1 + (i % MAX_NONCE), BigInt(i + 1))),
  );
  const startedMs = performance.now();
  const pair = [transfer(honest, 1), signedDeployment(CHAIN_ID, classHash, honest)];
  const answers = await Promise.all(pair.map(post));
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(performance.now() - startedMs).toBeLessThan(PATIENCE_MS);
  const refused = (await Promise.all(flood)).filter(({ error }) => error !== undefined);
  expect(refused).toHaveLength(FLOOD);
  const metrics = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
  expect(metrics).toContain("appchain_mempool_transactions 0\n");
}, 120_000);
