import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { freePort, rawCall } from "#test/helpers/binary.ts";
import { callWork } from "#test/helpers/hostile-clients.ts";
import { HOSTILE_ADDRESS, writeHostileConfig } from "#test/helpers/hostile-config.ts";
import { hostileWorks } from "#test/helpers/hostile-works.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

const TOKEN = "a-token-of-tests-0123";

/** Calldata of a call that no gas limit stops soon. */
const STEPS = hostileWorks("call").find(({ name }) => name === "steps")?.calldata ?? [];
const LONG_CALL = rawPost(
  rpcBody(1, "call", [
    {
      contract_address: HOSTILE_ADDRESS,
      entry_point_selector: hexFromFelt(selectorFromName("run")),
      calldata: STEPS.map(hexFromFelt),
    },
    "latest",
  ]),
);

describe("a node with generous limits", () => {
  let adminPort: number;
  const chain = useChain(async ({ path, file }) => {
    adminPort = await freePort();
    const tokenFile = file("admin.token");
    writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
    const more = `--dev-accounts 3 --max-steps 1000000000 --rpc-timeout 1h --rpc-admin-port ${adminPort}`;
    return {
      chainConfig: writeHostileConfig(path),
      args: [...more.split(" "), "--rpc-admin-token-file", tokenFile],
    };
  });

  async function admin(method: string, params: unknown = [], token = TOKEN) {
    const response = await fetch(`http://127.0.0.1:${adminPort}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const answer = (await response.json()) as { result?: unknown; error?: unknown };
    return { status: response.status, ...answer };
  }

  test("stops calls whose clients have disconnected", async () => {
    // Together the calls would take minutes, longer than this test's timeout.
    for (let round = 0; round < 20; round++) {
      const connections = await Promise.all(
        Array.from({ length: 10 }, () => RawConnection.open(chain.rpcPort)),
      );
      for (const connection of connections) connection.send(LONG_CALL.repeat(3));
      await Bun.sleep(20);
      for (const connection of connections) connection.close();
    }
    const supply = await rawCall(chain.url, "starknet_getBlockWithTxHashes", ["latest"]);
    expect(supply).toHaveProperty("result");
    const short = hostileWorks("call").find(({ name }) => name === "return_data");
    expect(await callWork(chain.url, short?.calldata ?? [])).toBeDefined();
  }, 60_000);

  test("serves its OpenRPC document", async () => {
    const response = await fetch(`${chain.url}/rpc/v0_8/openrpc.json`);
    expect(await response.json()).toMatchObject({ info: { version: "0.8.1" } });
  });

  test("lets an admin list and drop mempool transactions, and logs that", async () => {
    const signer = chain.signer(0);
    const { body, hash } = signedTransfer("APPCHAIN_DEVNET", signer, 5n, 0x99n);
    const sent = await fetch(chain.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(await sent.json()).toHaveProperty("result");
    const transactionHash = hexFromFelt(hash);
    expect((await admin("appchain_getMempool")).result).toMatchObject({
      waiting: 1,
      transactions: [{ transaction_hash: transactionHash, nonce: "0x5", type: "INVOKE" }],
    });
    expect((await admin("appchain_dropTransaction", [transactionHash], "wrong")).status).toBe(401);
    expect(await admin("appchain_dropTransaction", [transactionHash])).toMatchObject({
      result: { outcome: "DROPPED" },
    });
    expect((await admin("appchain_getMempool")).result).toMatchObject({ waiting: 0 });
    const status = await rawCall(chain.url, "starknet_getTransactionStatus", [transactionHash]);
    expect(JSON.stringify(status)).toContain("operator");
    expect((await admin("appchain_setLogLevel", ["debug"])).result).toEqual({ previous: "info" });
    await rawCall(chain.url, "starknet_chainId");
    // Log lines arrive through a pipe.
    for (let i = 0; i < 500 && !chain.output().includes("method=chainId"); i++) await Bun.sleep(20);
    const output = chain.output();
    for (const logged of [
      "dropTransaction",
      transactionHash,
      "without the token",
      "method=chainId",
    ])
      expect(output).toContain(logged);
    expect(output).not.toContain(TOKEN);
  });
});

test("a node with narrow limits rejects requests above them", async () => {
  const limits = "--max-steps 20 --rpc-max-connections 4 --rpc-rate-limit 5 --rpc-rate-burst 12";
  const chain = await start({ args: limits.split(" ") });
  const token = {
    contract_address: "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
  };
  const call = {
    ...token,
    entry_point_selector: hexFromFelt(selectorFromName("totalSupply")),
    calldata: [],
  };
  const { error } = await rawCall(chain.url, "starknet_call", [call, "latest"]);
  expect(error).toMatchObject({ code: 40 });
  const statuses = new Set<number>();
  const connection = await RawConnection.open(chain.rpcPort);
  connection.send(rawPost(rpcBody(1, "chainId")).repeat(30));
  for (const { status } of await connection.responses(30)) statuses.add(status);
  expect(statuses).toEqual(new Set([200, 429]));
  const others = await Promise.all(
    Array.from({ length: 10 }, () => RawConnection.open(chain.rpcPort)),
  );
  const answers = await Promise.all(others.map((other) => other.responses(1, 500)));
  expect(answers.flat().some(({ status }) => status === 503)).toBe(true);
  for (const each of [connection, ...others]) each.close();
}, 60_000);
