import { beforeAll, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { ASYNC_SUBMISSION, rawCall } from "#test/helpers/binary.ts";
import { useFollower } from "#test/helpers/follower.ts";
import { untilCaughtUp } from "#test/helpers/follower-state.ts";
import { useGatewayChain } from "#test/helpers/gateway-chain.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { bySize } from "#test/helpers/test-size.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const CLIENTS = bySize({ quick: 100, full: 500 });
const ACCOUNTS = CLIENTS / 5;
const POLL_MS = 250;
const WAIT_MS = 60_000;
const NOT_FOUND = 29;

const chain = useGatewayChain({
  args: ["--block-time", "500ms", "--dev-accounts", String(ACCOUNTS)],
  env: ASYNC_SUBMISSION,
});
const writer = useFollower();
const reader = useFollower();

beforeAll(async () => {
  await chain.start();
  const gateways = [chain.gateway];
  await Promise.all([writer.start({ gateways }), reader.start({ gateways })]);
  await Promise.all([untilCaughtUp(writer, chain), untilCaughtUp(reader, chain)]);
}, 120_000);

interface Waited {
  readonly status: string;
  readonly receipt: { readonly transaction_hash: string; readonly execution_status: string };
}

/** Sends through one node and waits at the other, as a client behind a load balancer does. */
async function sendAndWait(account: number, nonce: bigint): Promise<Waited> {
  const { body, hash } = signedTransfer(CHAIN_ID, chain.signer(account), nonce, 0x77n);
  const headers = { "content-type": "application/json" };
  const sent = await fetch(writer.url, { method: "POST", headers, body });
  expect(await sent.json()).toMatchObject({ result: { transaction_hash: hexFromFelt(hash) } });
  const params = [hexFromFelt(hash)];
  const status = await rawCall(reader.url, "starknet_getTransactionStatus", params);
  const endsAtMs = Date.now() + WAIT_MS;
  for (;;) {
    const { result, error } = await rawCall(reader.url, "starknet_getTransactionReceipt", params);
    if (result !== undefined) {
      const { finality_status: finality = String(status.error?.code) } = (status.result ?? {}) as {
        finality_status?: string;
      };
      return { status: finality, receipt: result as Waited["receipt"] };
    }
    expect(error?.code).toBe(NOT_FOUND);
    if (Date.now() > endsAtMs) throw new TypeError(`no receipt of ${hexFromFelt(hash)}`);
    await Bun.sleep(POLL_MS);
  }
}

test(`${CLIENTS} clients that send through one full node and wait at another get their receipts`, async () => {
  const rounds = CLIENTS / ACCOUNTS;
  const accounts = Array.from({ length: ACCOUNTS }, async (_, account) => {
    const waiting: Promise<Waited>[] = [];
    for (let nonce = 0n; nonce < rounds; nonce++) waiting.push(sendAndWait(account, nonce));
    return Promise.all(waiting);
  });
  const waited = (await Promise.all(accounts)).flat();
  expect(waited.length).toBe(CLIENTS);
  expect(new Set(waited.map(({ receipt }) => receipt.transaction_hash)).size).toBe(CLIENTS);
  // No node reported a transaction as unknown.
  const known = ["RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2"];
  expect(waited.filter(({ status }) => !known.includes(status))).toEqual([]);
  expect(new Set(waited.map(({ receipt }) => receipt.execution_status))).toEqual(
    new Set(["SUCCEEDED"]),
  );
  for (const node of [writer, reader]) await untilCaughtUp(node, chain);
}, 180_000);
