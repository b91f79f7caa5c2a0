import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Hex } from "viem";
import { L1Error } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { DevCoreOperator, L1_LIMITS } from "#io/l1/index.ts";
import { stateUpdate } from "#services/settlement/index.ts";
import { ANVIL_KEY, ANVIL_OTHER_KEYS, type RunningAnvil, startAnvil } from "#test/helpers/anvil.ts";
import { NO_STATE, plainBlock } from "#test/helpers/fake-core.ts";
import { CORE_ABI, MOCK_VERIFIER_ABI } from "#test/helpers/l1-core-abi.ts";
import {
  deployCore,
  type DeployedCore,
  deployL1,
  TEST_CONFIG_HASH,
  TEST_PROGRAM_HASH,
} from "#test/helpers/l1-core.ts";
import { l1Address, L1Contract } from "#test/helpers/l1-contract.ts";

let anvil: RunningAnvil;
let deployed: DeployedCore;
let core: L1Contract;
let verifier: L1Contract;

beforeAll(async () => {
  anvil = await startAnvil();
  deployed = await deployCore(anvil);
  core = new L1Contract(anvil, deployed.address, CORE_ABI);
  verifier = new L1Contract(anvil, deployed.verifier, MOCK_VERIFIER_ABI);
}, 60_000);

afterAll(async () => {
  await anvil.stop();
});

interface Given {
  readonly url?: string;
  readonly key?: Hex;
  readonly address?: Hex;
  readonly transactionMs?: number;
}

function connect(
  {
    url = anvil.url,
    key = ANVIL_KEY,
    address = deployed.address,
    transactionMs = 5_000,
  }: Given = {},
  requireChain: (chainId: number, endpoint: string) => void = () => undefined,
): Promise<DevCoreOperator> {
  return DevCoreOperator.connect(
    {
      url,
      key,
      coreContractAddress: BigInt(address),
      limits: L1_LIMITS,
      transactionMs,
      timer: SYSTEM_TIMER,
      signal: new AbortController().signal,
    },
    requireChain,
  );
}

async function failure(run: Promise<unknown>): Promise<L1Error> {
  const error = await run.catch((cause: unknown) => cause);
  if (!(error instanceof L1Error)) throw new TypeError(`no L1Error but ${String(error)}`);
  return error;
}

/** Proxy to Anvil that replaces the results of some methods. */
function tampered(answers: Readonly<Record<string, unknown>>) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      const { method } = JSON.parse(body) as { method: string };
      if (method in answers) {
        return Response.json({ jsonrpc: "2.0", id: 1, result: answers[method] });
      }
      const headers = { "content-type": "application/json" };
      return fetch(anvil.url, { method: "POST", headers, body });
    },
  });
}

const RULES = { programHash: TEST_PROGRAM_HASH, configHash: TEST_CONFIG_HASH };

describe("DevCoreOperator", () => {
  test("reads rules and state of the contract and posts the next update", async () => {
    const operator = await connect();
    expect(operator.address).toBe(l1Address(0));
    expect(await operator.rules()).toEqual(RULES);
    expect(await operator.state()).toEqual(NO_STATE);
    const first = stateUpdate(NO_STATE, plainBlock(0), RULES);
    await operator.post(first);
    expect(await operator.state()).toEqual({
      blockNumber: 0n,
      blockHash: 0x100n,
      stateRoot: 0x200n,
    });
    const { code, message } = await failure(operator.post(first));
    expect(code).toBe("L1_REFUSED");
    expect(message).toContain("the state update would fail");
    expect(message).toContain("INVALID_PREV_BLOCK_NUMBER");
  });

  test("does not register a proof twice", async () => {
    const operator = await connect();
    const update = stateUpdate(await operator.state(), plainBlock(1), RULES);
    const count = () => anvil.client.getTransactionCount({ address: l1Address(0) });
    const before = await count();
    await verifier.send("registerFact", [`0x${update.fact.toString(16).padStart(64, "0")}`]);
    await operator.post(update);
    expect(await count()).toBe(before + 2);
  });

  test("reports messages that are not pending on L1", async () => {
    const operator = await connect();
    await core.send("sendMessageToL2", [7n, 8n, []], { value: 1n });
    const hash = (await core.read("l1ToL2MsgHash", l1Address(0), 7n, 8n, [], 0n)) as Hex;
    expect(await operator.missingMessages([1n, BigInt(hash), 2n])).toEqual([1n, 2n]);
    expect(await operator.missingMessages([])).toEqual([]);
  });
});

describe("DevCoreOperator.post", () => {
  test("names a transaction that is not mined in time, and waits for it before the next", async () => {
    const operator = await connect({ transactionMs: 200 });
    const update = stateUpdate(await operator.state(), plainBlock(2), RULES);
    await anvil.client.setAutomine(false);
    try {
      const { code, message } = await failure(operator.post(update));
      expect(code).toBe("L1_LATE");
      expect(message).toMatch(/^registering a proof \(transaction 0x[0-9a-f]{64}\) is in no block/);
      expect((await failure(operator.post(update))).message).toContain(
        `an earlier transaction of ${l1Address(0)} is in no block of L1 after 0.2 s`,
      );
    } finally {
      await anvil.client.setAutomine(true);
      await anvil.client.mine({ blocks: 1 });
    }
    await operator.post(update);
    expect((await operator.state()).blockNumber).toBe(2n);
  });
});

describe("DevCoreOperator.connect refuses", () => {
  test("a chain that the caller rejects, before anything else", async () => {
    const refusal = new TypeError("not here");
    const seen: [number, string][] = [];
    const connecting = connect(
      { address: "0x0000000000000000000000000000000000000bad" },
      (...asked) => {
        seen.push(asked);
        throw refusal;
      },
    );
    expect(await connecting.catch((error: unknown) => error)).toBe(refusal);
    expect(seen).toEqual([[31_337, new URL(anvil.url).origin]]);
  });

  test("an address without a contract or with another one", async () => {
    const nothing = "0x0000000000000000000000000000000000000bad";
    expect((await failure(connect({ address: nothing }))).code).toBe("L1_NO_CONTRACT");
    const { code } = await failure(connect({ address: deployed.verifier }));
    expect(code).toBe("L1_VERIFIER");
  });

  test("a verifier that requires proofs", async () => {
    const code = await anvil.client.getCode({ address: deployed.verifier });
    const other = await anvil.client.getCode({ address: await deployL1(anvil, "Proxy", [0n]) });
    await anvil.client.setCode({ address: deployed.verifier, bytecode: other ?? "0x" });
    const { code: found, message } = await failure(connect());
    await anvil.client.setCode({ address: deployed.verifier, bytecode: code ?? "0x" });
    expect(found).toBe("L1_VERIFIER");
    expect(message).toContain("it requires proofs");
  });

  test("an account that is no operator of both core contract and verifier", async () => {
    const [key] = ANVIL_OTHER_KEYS;
    expect((await failure(connect({ key }))).message).toContain(
      "not an operator of the core contract",
    );
    await core.send("registerOperator", [l1Address(1)]);
    const { code, message } = await failure(connect({ key }));
    expect(code).toBe("L1_NO_OPERATOR");
    expect(message).toContain("not an operator of the verifier");
    await verifier.send("registerOperator", [l1Address(1)]);
    expect((await connect({ key })).address).toBe(l1Address(1));
  });
});

describe("DevCoreOperator with a faulty endpoint", () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["asks for an excessive priority fee", { eth_maxPriorityFeePerGas: "0xe8d4a51001" }, "L1_DEAR"],
    ["estimates more gas than a block has", { eth_estimateGas: "0x1000001" }, "L1_TOO_LARGE"],
    ["returns an invalid estimate", { eth_estimateGas: "many" }, "L1_NONSENSE"],
    ["loses transactions", { eth_sendRawTransaction: `0x${"1".repeat(64)}` }, "L1_LATE"],
    ["returns no nonce", { eth_getTransactionCount: null }, "L1_NONSENSE"],
    ["has no base fee", { eth_getBlockByNumber: {} }, "L1_NONSENSE"],
    ["reports a failed transaction", { eth_getTransactionReceipt: { status: "0x0" } }, "L1_FAILED"],
    ["returns a receipt without a status", { eth_getTransactionReceipt: {} }, "L1_NONSENSE"],
    // Anything that does not respond like a development verifier is rejected.
    ["returns empty call results", { eth_call: "0x" }, "L1_VERIFIER"],
  ];

  test.each(cases)("rejects an endpoint that %s", async (_, answers, code) => {
    using server = tampered(answers);
    const posting = async (): Promise<void> => {
      const operator = await connect({ url: server.url.href, transactionMs: 100 });
      await operator.post(stateUpdate(await operator.state(), plainBlock(3), RULES));
    };
    const { code: found, message } = await failure(posting());
    expect(found).toBe(code);
    expect(message).not.toContain(ANVIL_KEY.slice(2));
  });

  test("hides the key of the endpoint's address and the private key", async () => {
    const secret = "0123456789abcdef0123";
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.json({}),
    });
    const url = `${server.url.href}v3/${secret}?key=${secret}`;
    const { message } = await failure(connect({ url }));
    expect(message).toContain(server.url.origin);
    expect(message).not.toContain(secret);
    expect(message).not.toContain(ANVIL_KEY.slice(2));
  });
});
