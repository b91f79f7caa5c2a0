import { describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall, type RunningChain } from "#test/helpers/binary.ts";
import { hostileWorks } from "#test/helpers/hostile-works.ts";
import { callWork } from "#test/helpers/hostile-clients.ts";
import { writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

const MIB = 2 ** 20;
const TOO_LARGE = {
  code: -32003,
  message: "Response too large",
  data: "the response would be longer than 1048576 bytes: request less at a time",
};

/** Sends a body over HTTP. @returns the JSON response, or the status if there is no body */
async function post(url: string, body: string): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  return text === "" ? response.status : (JSON.parse(text) as unknown);
}

const request = (method: string, params: unknown, id = 1): object => ({
  jsonrpc: "2.0",
  id,
  method: `starknet_${method}`,
  params,
});
const call = (method: string, params: unknown) => (chain: RunningChain) =>
  rawCall(chain.url, `starknet_${method}`, params);

/** Sends a batch that repeats one request. */
const batch = (times: number, method: string, params: unknown) => (chain: RunningChain) =>
  post(
    chain.url,
    JSON.stringify(Array.from({ length: times }, (_, i) => request(method, params, i))),
  );

/** Sends a request of this exact size. */
const ofBytes = (bytes: number) => (chain: RunningChain) => {
  const text = JSON.stringify(request("chainId", []));
  return post(chain.url, text + " ".repeat(bytes - text.length));
};

const events = (members: object) => ({ filter: { chunk_size: 1, ...members } });
const keys = (count: number): readonly string[][] => [
  Array.from({ length: count - 1 }, (_, i) => hexFromFelt(BigInt(i))),
];
const transactions = (chain: RunningChain, count: number): readonly object[] =>
  Array.from({ length: count }, (_, nonce) => ({
    type: "INVOKE",
    version: "0x3",
    signature: [],
    nonce: hexFromFelt(BigInt(nonce)),
    sender_address: chain.accounts[0]?.address,
    calldata: ["0x0"],
    account_deployment_data: [],
    resource_bounds: { l1_gas: BOUND, l1_data_gas: BOUND, l2_gas: BOUND },
    tip: "0x0",
    paymaster_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  }));
const BOUND = { max_amount: "0x0", max_price_per_unit: "0x0" };
const estimate = (method: string, count: number) => (chain: RunningChain) =>
  rawCall(chain.url, `starknet_${method}`, {
    block_id: "latest",
    [method === "estimateFee" ? "request" : "transactions"]: transactions(chain, count),
    simulation_flags: ["SKIP_VALIDATE"],
  });

/** Repeats a request over a new WebSocket connection. @returns the last response */
const subscribe =
  (times: number, method: string, params: unknown) => async (chain: RunningChain) => {
    const client = await WsClient.open(`ws://127.0.0.1:${chain.rpcPort}/rpc/v0_10`);
    let answer: unknown;
    for (let i = 0; i < times; i++) answer = await client.ask(`starknet_${method}`, params);
    client.socket.close();
    return answer;
  };

type Ask = (chain: RunningChain) => Promise<unknown>;

/** Picks the last response of a batch. */
const lastOf =
  (ask: Ask): Ask =>
  async (chain) =>
    ((await ask(chain)) as readonly unknown[]).at(-1);

/** Each limit: its option, a request at the limit, and one above it with the expected error. */
const LIMITS: readonly (readonly [option: string, accepted: Ask, rejected: Ask, error: object])[] =
  [
    [
      "--rpc-max-request-size 1",
      ofBytes(MIB),
      ofBytes(MIB + 1),
      { error: { code: -32600, data: expect.stringContaining(`${MIB}`) } },
    ],
    [
      "--rpc-max-response-size 1",
      call("getClassAt", ["latest", STRK]),
      lastOf(batch(9, "getClassAt", ["latest", STRK])),
      { error: TOO_LARGE },
    ],
    [
      "--rpc-max-batch 9",
      batch(9, "chainId", []),
      batch(10, "chainId", []),
      { error: { code: -32600, data: expect.stringContaining("at most 9") } },
    ],
    [
      "--rpc-max-events-chunk 2",
      call("getEvents", events({ chunk_size: 2 })),
      call("getEvents", events({ chunk_size: 3 })),
      { error: { code: 31 } },
    ],
    [
      "--rpc-max-event-keys 5",
      call("getEvents", events({ keys: keys(5) })),
      call("getEvents", events({ keys: keys(6) })),
      { error: { code: 34 } },
    ],
    [
      "--rpc-max-event-keys 5",
      subscribe(1, "subscribeEvents", { keys: keys(5) }),
      subscribe(1, "subscribeEvents", { keys: keys(6) }),
      { error: { code: 34 } },
    ],
    [
      "--rpc-max-transactions 3",
      estimate("estimateFee", 3),
      estimate("estimateFee", 4),
      { error: { code: -32602, data: expect.objectContaining({ path: expect.any(String) }) } },
    ],
    [
      "--rpc-max-transactions 3",
      estimate("simulateTransactions", 3),
      estimate("simulateTransactions", 4),
      { error: { code: -32602 } },
    ],
    [
      "--rpc-max-proof-keys 2",
      call("getStorageProof", { block_id: "latest", contract_addresses: ["0x1", "0x2"] }),
      call("getStorageProof", { block_id: "latest", contract_addresses: ["0x1", "0x2", "0x3"] }),
      { error: { code: 10000 } },
    ],
    [
      "--rpc-max-subscriptions 2",
      subscribe(2, "subscribeNewHeads", {}),
      subscribe(3, "subscribeNewHeads", {}),
      { error: {} },
    ],
  ];

describe("at a limit a request is accepted, and above it rejected:", () => {
  const args = [...new Set(LIMITS.map(([option]) => option))].flatMap((text) => text.split(" "));
  const chain = useChain({ args });

  test.each(LIMITS)("%s", async (_, accepted, rejected, error) => {
    expect(await accepted(chain)).not.toMatchObject(error);
    expect(await rejected(chain)).toMatchObject(error);
  });

  test("cached responses are not served for a block that was replaced", async () => {
    const create = async (): Promise<string> => {
      const { result } = await rawCall(chain.url, "devnet_createBlock", []);
      return (result as { readonly block_hash: string }).block_hash;
    };
    const servedHash = async (number: number): Promise<unknown> => {
      const id = { block_number: number };
      const { result } = await rawCall(chain.url, "starknet_getBlockWithTxHashes", [id]);
      return (result as { readonly block_hash?: unknown } | undefined)?.block_hash;
    };
    const hash = await create();
    const { result: number } = await rawCall(chain.url, "starknet_blockNumber", []);
    expect([await servedHash(Number(number)), await servedHash(Number(number))]).toEqual([
      hash,
      hash,
    ]);
    await rawCall(chain.url, "devnet_abortBlocks", {
      starting_block_id: { block_number: Number(number) },
    });
    await rawCall(chain.url, "devnet_increaseTime", { time: 1_000 });
    const { result: newNumber } = await rawCall(chain.url, "starknet_blockNumber", []);
    expect(newNumber).toBe(Number(number));
    expect(await servedHash(Number(number))).not.toBe(hash);
  });
});

describe("a node with connection and time limits", () => {
  const limits =
    "--rpc-timeout 300ms --rpc-max-connections-per-address 6 --max-steps 1000000000 --dev-accounts 1";
  const chain = useChain(({ path }) => ({
    chainConfig: writeHostileConfig(path),
    args: limits.split(" "),
  }));

  test("--rpc-timeout stops a call that would take many seconds", async () => {
    const steps = hostileWorks("call").find(({ name }) => name === "steps")?.calldata ?? [];
    expect(await callWork(chain.url, steps)).toMatchObject({
      error: { code: -32603, data: "the execution took too long and was stopped" },
    });
  });

  test("--rpc-max-connections-per-address rejects further connections of an address", async () => {
    const connections = await Promise.all(
      Array.from({ length: 12 }, () => RawConnection.open(chain.rpcPort)),
    );
    const answers = await Promise.all(connections.map((each) => each.responses(1, 500)));
    for (const each of connections) each.close();
    const refused = answers.flat().filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThanOrEqual(12 - 6);
  });
});
