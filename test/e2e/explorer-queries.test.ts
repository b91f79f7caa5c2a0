import { expect, test } from "bun:test";
import { Account } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import { resultOf } from "#test/helpers/binary.ts";
import { AMPLE_BOUNDS, NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChains } from "#test/helpers/use-chain.ts";

const start = useChains();
const EXPLORER = ["--explorer", "on"];

interface Simulated {
  readonly trace: { readonly execute_invocation: { readonly calls: readonly unknown[] } };
  readonly reverted: { readonly invocation: { readonly calls: readonly unknown[] } } | null;
}

test("a reverted transaction has its calls with gas, and the one that reverted", async () => {
  const chain = await start({ args: EXPLORER });
  const call = transferCall("0x77", 10n ** 40n);
  const { transaction_hash: hash } = await chain
    .account(0)
    .execute([transferCall("0x78", 1n), call], {
      ...NO_ESTIMATE,
    });
  await chain.provider.waitForTransaction(hash, { retryInterval: 20 });
  const traceOf = async (path: string): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${chain.url}/explorer/api/trace?transaction=${path}`);
    return { status: response.status, body: await response.json() };
  };
  const { body } = await traceOf(hash);
  const token = { contract_address: STRK, call_type: "CALL" };
  expect(body).toEqual({
    trace: await resultOf(chain, "starknet_traceTransaction", [hash]),
    reverted: {
      path: [1],
      invocation: expect.objectContaining({
        is_reverted: true,
        execution_resources: { l1_gas: 0, l2_gas: expect.any(Number) },
        calls: [
          expect.objectContaining({ ...token, is_reverted: false }),
          expect.objectContaining({ ...token, is_reverted: true }),
        ],
      }),
    },
  });
  expect(JSON.stringify(body)).not.toContain('"l2_gas":0');
  const paid = await chain.account(0).execute(transferCall("0x78", 7n));
  const { transaction_hash: succeeded } = paid;
  await chain.provider.waitForTransaction(succeeded, { retryInterval: 20 });
  expect((await traceOf(succeeded)).body).toMatchObject({ reverted: null });
  expect(await traceOf("0x123")).toEqual({
    status: 404,
    body: { error: { message: "transaction 0x123 is in no block" } },
  });
}, 60_000);

test("a reverted transaction succeeds in a simulation with another balance or calldata, and finds another class", async () => {
  const chain = await start({ args: EXPLORER });
  const { address } = chain.account(0);
  const call = transferCall("0x77", 10n ** 30n);
  const { transaction_hash: reverted } = await chain.account(0).execute(call, NO_ESTIMATE);
  await chain.provider.waitForTransaction(reverted, { retryInterval: 20 });
  const sent = (await resultOf(chain, "starknet_getTransactionByHash", [reverted])) as {
    readonly calldata: readonly string[];
  };
  const simulate = async (overrides: object, changed: object = {}): Promise<Simulated> => {
    const response = await fetch(`${chain.url}/explorer/api/simulate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        block_id: { block_number: 0 },
        transactions: [{ ...sent, ...changed }],
        simulation_flags: ["SKIP_VALIDATE", "SKIP_FEE_CHARGE"],
        overrides,
      }),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Simulated;
  };
  expect(await simulate({})).toMatchObject({ reverted: { path: [0] } });
  const key = hexFromFelt(storageVariableKey("ERC20_balances", BigInt(address)));
  const value = hexFromFelt(2n * 10n ** 30n);
  const rich = await simulate({ storage: [{ contract_address: STRK, key, value }] });
  expect([rich.reverted, rich.trace.execute_invocation.calls.length]).toEqual([null, 1]);
  const calldata = sent.calldata.with(-2, "0x1");
  expect(await simulate({}, { calldata })).toMatchObject({ reverted: null });
  const class_hash = await chain.provider.getClassHashAt(address);
  const other = await simulate({ classes: [{ contract_address: STRK, class_hash }] });
  expect(other.reverted?.invocation.calls).toMatchObject([
    { contract_address: STRK, class_hash, result: ["0x454e545259504f494e545f4e4f545f464f554e44"] },
  ]);
}, 60_000);

test("refused and replaced transactions are listed with their reasons", async () => {
  const chain = await start({ args: EXPLORER });
  const { address } = chain.account(0);
  const sender = address.replace(/^0x0*/, "0x");
  const forger = new Account({ provider: chain.provider, address, signer: "0x123" });
  const forged = forger.execute(transferCall("0x77", 7n), { ...NO_ESTIMATE, nonce: 0 });
  expect(await forged.then(String, String)).toContain("invalid signature");
  const send = (details: object) =>
    chain.account(0).execute(transferCall("0x77", 7n), { ...NO_ESTIMATE, nonce: 5, ...details });
  const { transaction_hash: replaced } = await send({});
  const { l2_gas: bound } = AMPLE_BOUNDS;
  const l2_gas = { ...bound, max_price_per_unit: 2n * bound.max_price_per_unit };
  const resourceBounds = { ...AMPLE_BOUNDS, l2_gas };
  const { transaction_hash: newer } = await send({ tip: 1_000n, resourceBounds });
  const rejected = async (): Promise<unknown> =>
    (await fetch(`${chain.url}/explorer/api/rejected`)).json();
  expect(
    await untilTrue(async () => JSON.stringify(await rejected()).includes(newer), 10_000),
  ).toBe(true);
  expect(await rejected()).toEqual({
    transactions: [
      expect.objectContaining({ hash: replaced, sender, code: "REPLACED", was_received: true }),
      expect.objectContaining({ sender, code: "VALIDATION_FAILURE", was_received: false }),
    ],
    blocks: [],
  });
}, 60_000);
