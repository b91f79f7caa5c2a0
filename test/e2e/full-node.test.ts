import { beforeAll, expect, test } from "bun:test";
import { Account, RpcProvider } from "starknet";
import { ASYNC_SUBMISSION } from "#test/helpers/binary.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import { withGateway } from "#test/helpers/gateway-sends.ts";
import { STRK, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

const gateway = await withGateway();
// Blocks stay open for a while, so that pre-confirmed data can be observed.
const chain = useChain({
  args: [...gateway.args, "--block-generation-on", "2"],
  env: ASYNC_SUBMISSION,
});
const node = useFollower();
const FOLLOWED = { gateways: [gateway.url], args: ["--verify", "execution"] };

/** Response to a request, a result or an error, as on the wire. */
async function ask(url: string, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", body, headers })).json();
}

/** Sends the same request to both nodes. */
const both = async (method: string, params: unknown): Promise<[unknown, unknown]> => [
  await ask(chain.url, method, params),
  await ask(node.url, method, params),
];

/** Sends a transfer through a node. @returns the hash from the response */
async function transfer(index: number, to: bigint, url: string): Promise<string> {
  const entry = chain.accounts[index];
  if (entry === undefined) throw new TypeError("there is no such account");
  const provider = new RpcProvider({ nodeUrl: url });
  const account = new Account({ provider, address: entry.address, signer: entry.private_key });
  const call = transferCall(`0x${to.toString(16)}`, 1n);
  return (await account.execute(call, { tip: 0 })).transaction_hash;
}

async function until(what: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  for (const endsAtMs = Date.now() + timeoutMs; Date.now() < endsAtMs; await Bun.sleep(50)) {
    if (await what()) return;
  }
  throw new TypeError(`it did not come:\n${node.output()}`);
}

const statusOf = async (url: string, hash: string): Promise<unknown> =>
  ((await ask(url, "getTransactionStatus", [hash])) as { result?: { finality_status: string } })
    .result?.finality_status;

const isAccepted = (url: string, hash: string) => async (): Promise<boolean> =>
  (await statusOf(url, hash)) === "ACCEPTED_ON_L2";

beforeAll(async () => {
  const hashes = [await transfer(0, 0x501n, chain.url), await transfer(1, 0x502n, chain.url)];
  for (const hash of hashes) await until(isAccepted(chain.url, hash));
  await node.start(FOLLOWED);
}, 120_000);

test("logs its role, where it starts, and when it has caught up", async () => {
  await until(async () => (await fetch(`${node.url}/ready`)).status === 200);
  const output = node.output();
  for (const line of [
    "role: full node",
    "sync starts at block 0",
    "blocks are re-executed",
    "caught up with the chain",
  ]) {
    expect(output).toContain(line);
  }
  expect(await ask(node.url, "syncing", [])).toMatchObject({ result: false });
});

test("has the sequencer's blocks and state", async () => {
  const newest = await chain.provider.getBlockNumber();
  await waitForBlock(node, newest);
  for (let block_number = 0; block_number <= newest; block_number++) {
    for (const method of ["getBlockWithReceipts", "getStateUpdate", "traceBlockTransactions"]) {
      const [ours, theirs] = await both(method, [{ block_number }]);
      expect(theirs).toEqual(ours);
      expect(ours).toHaveProperty("result");
    }
  }
  const at = { block_number: newest };
  const request = { contract_address: STRK, entry_point_selector: BALANCE_OF, calldata: ["0x501"] };
  for (const [method, params] of [
    ["call", [request, at]],
    ["getNonce", [at, chain.accounts[0]?.address]],
    ["getClassHashAt", [at, STRK]],
    ["getStorageProof", [at, null, [STRK]]],
  ] as const) {
    const [ours, theirs] = await both(method, params);
    expect(theirs).toEqual(ours);
    expect(ours).toHaveProperty("result");
  }
}, 60_000);

/** `balance_of`. */
const BALANCE_OF = "0x35a73cd311a05d46deda634c5ee045db92f811b4e74bca4437fcb5302b7af33";

test("shows a transaction before its block is accepted", async () => {
  // A block that has just started stays open for two seconds.
  const newest = await chain.provider.getBlockNumber();
  await until(async () => (await chain.provider.getBlockNumber()) > newest);
  const hash = await transfer(2, 0x503n, chain.url);
  const seen: unknown[] = [];
  await until(async () => {
    const status = await statusOf(node.url, hash);
    if (seen.at(-1) !== status) seen.push(status);
    return status === "ACCEPTED_ON_L2";
  });
  expect(seen).toContain("PRE_CONFIRMED");
}, 90_000);

test("forwards transactions, and both nodes have their receipts", async () => {
  const hash = await transfer(3, 0x504n, node.url);
  expect(["RECEIVED", "CANDIDATE", "PRE_CONFIRMED"]).toContain(
    String(await statusOf(node.url, hash)),
  );
  await until(isAccepted(node.url, hash));
  const [ours, theirs] = await both("getTransactionReceipt", [hash]);
  expect(theirs).toEqual(ours);
  expect(ours).toMatchObject({ result: { execution_status: "SUCCEEDED" } });
}, 90_000);

test("rejects transactions with the sequencer's errors", async () => {
  const bounds = { max_amount: "0x1", max_price_per_unit: "0x1" };
  const invoke_transaction = {
    type: "INVOKE",
    version: "0x3",
    sender_address: chain.accounts[4]?.address,
    calldata: [],
    signature: ["0x1", "0x2"],
    nonce: "0x0",
    resource_bounds: { l1_gas: bounds, l2_gas: bounds, l1_data_gas: bounds },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
  for (const changed of [{}, { nonce: "0x77" }, { sender_address: "0x12345" }]) {
    const params = { invoke_transaction: { ...invoke_transaction, ...changed } };
    const [ours, theirs] = await both("addInvokeTransaction", params);
    expect(ours).toHaveProperty("error");
    expect(theirs).toEqual(ours);
  }
});

test("follows a revert of the sequencer and notifies subscribers", async () => {
  const newest = await chain.provider.getBlockNumber();
  await waitForBlock(node, newest);
  const client = await WsClient.open(node.url.replace("http", "ws"));
  await client.ask("starknet_subscribeNewHeads");
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "devnet_abortBlocks",
    params: { starting_block_id: { block_number: newest } },
  });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(chain.url, { method: "POST", body, headers });
  const { result } = (await answer.json()) as { result: { aborted: string[] } };
  const reorg = await client.take(({ method }) => method === "starknet_subscriptionReorg");
  expect(reorg).toMatchObject({
    params: { result: { starting_block_hash: result.aborted.at(-1) } },
  });
  client.close();
  const hash = await transfer(6, 0x506n, chain.url);
  await until(isAccepted(node.url, hash));
  const [ours, theirs] = await both("getBlockWithTxHashes", [{ block_number: newest }]);
  expect(theirs).toEqual(ours);
  expect(node.output()).toContain(`back to block ${newest - 1}`);
}, 120_000);

test("resumes after a kill with the blocks that it missed", async () => {
  const before = await node.provider.getBlockNumber();
  await node.stop("SIGKILL");
  const hash = await transfer(5, 0x505n, chain.url);
  await until(isAccepted(chain.url, hash));
  await node.start();
  const output = node.output();
  const startBlock = Number(/sync starts at block (\d+)/.exec(output)?.[1]);
  expect(startBlock).toBeGreaterThan(Math.max(0, before - 1));
  await until(isAccepted(node.url, hash));
  const newest = await node.provider.getBlockNumber();
  const [ours, theirs] = await both("getStateUpdate", [{ block_number: newest }]);
  expect(theirs).toEqual(ours);
}, 120_000);

test("stops cleanly", async () => {
  expect(await node.stop("SIGTERM")).toBe(0);
});
