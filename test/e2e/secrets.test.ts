import { afterAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { BINARY, freePort, TEST_ENVIRONMENT } from "#test/helpers/binary.ts";
import { startKeyEcho } from "#test/helpers/key-echo.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();
const echo = startKeyEcho();
afterAll(() => echo[Symbol.dispose]());

/** One key for each place that can hold one. */
const KEYS = {
  l1: "L1Secret000000001",
  l1Password: "L1Secret000000002",
  l1Query: "L1Secret000000003",
  gateway: "GwSecret000000001",
  gatewayPassword: "GwSecret000000002",
  gatewayHeader: "GwSecret000000003",
  configuredGateway: "GwSecret000000004",
  oracle: "OrSecret000000001",
  oracleHeader: "OrSecret000000002",
  adminToken: "AdSecret00000000000000000000000000000001",
  storePath: "StSecret000000001",
  storeKeyId: "StSecret000000002",
  storeKey: "StSecret000000003",
  storeSession: "StSecret000000004",
} as const;

/** Writes a key to a file that only its owner can read. @returns its path */
function keyFile(key: keyof typeof KEYS): string {
  const path = folder.file(`${key}.key`);
  writeFileSync(path, `${KEYS[key]}\n`);
  chmodSync(path, 0o600);
  return path;
}

/** Options with one address per failure, except silence, which only takes time. */
function failing(flag: string, ...keys: readonly string[]): readonly string[] {
  const addresses = keys.flatMap((key) => echo.addresses(key).slice(0, -1));
  return addresses.flatMap((address) => [`--${flag}`, address]);
}

/** Starts a node that logs at trace level. */
function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const common = ["--ephemeral", "--log-level", "trace", "--rpc-port", "0"];
  const child = Bun.spawn([BINARY, ...args, ...common], {
    stdout: "pipe",
    stderr: "pipe",
    cwd: "/",
    env: { ...TEST_ENVIRONMENT, ...env },
  });
  let text = "";
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    for await (const bytes of stream) text += new TextDecoder().decode(bytes);
  };
  const ended = Promise.all([read(child.stdout), read(child.stderr), child.exited]);
  const says = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(text);
      if (found !== null) return found[1] ?? found[0];
      if (child.exitCode !== null) throw new TypeError(`it ended before ${pattern}:\n${text}`);
      await Bun.sleep(20);
    }
  };
  const stop = async (): Promise<string> => {
    child.kill();
    await ended;
    return text;
  };
  return { says, stop, ended: ended.then(() => text) };
}

/** Names of the keys that a text contains. */
function found(text: string): readonly string[] {
  return Object.entries(KEYS).flatMap(([name, key]) => {
    const forms = [key, Buffer.from(`${key}:${key}`).toString("base64")];
    return forms.some((form) => text.toLowerCase().includes(form.toLowerCase())) ? [name] : [];
  });
}

const ask = async (url: string, method: string, params: unknown): Promise<string> =>
  (
    await fetch(url, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    })
  ).text();

const INVOKE = {
  type: "INVOKE",
  version: "0x3",
  sender_address: "0x1",
  calldata: [],
  signature: [],
  nonce: "0x0",
  resource_bounds: Object.fromEntries(
    ["l1_gas", "l1_data_gas", "l2_gas"].map((name) => [
      name,
      { max_amount: "0x1", max_price_per_unit: "0x1" },
    ]),
  ),
  tip: "0x0",
  paymaster_data: [],
  account_deployment_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
};

test("a full node whose sources all fail reveals no key", async () => {
  const adminPort = await freePort();
  const node = start(
    [
      ...["node", "--preset", "sepolia", "--metrics-port", "0"],
      ...failing("gateway-url", KEYS.gateway, KEYS.gatewayPassword),
      ...failing("l1-endpoint", KEYS.l1, KEYS.l1Password, KEYS.l1Query),
      ...["--gateway-key-file", keyFile("gatewayHeader")],
      ...["--rpc-admin-token-file", keyFile("adminToken"), "--rpc-admin-port", String(adminPort)],
    ],
    {},
  );
  const rpcUrl = await node.says(/JSON-RPC server at (\S+)/);
  const metricsUrl = await node.says(/metrics endpoint at (\S+)/);
  // The node passes a gateway's rejection on in its response.
  const submitted = await ask(rpcUrl, "starknet_addInvokeTransaction", {
    invoke_transaction: INVOKE,
  });
  await node.says(/the gateway is refused/);
  const answers = [
    submitted,
    await ask(rpcUrl, "starknet_syncing", []),
    await (await fetch(`${rpcUrl}/ready`)).text(),
    await ask(`http://127.0.0.1:${adminPort}`, "admin_status", []),
    await (await fetch(metricsUrl)).text(),
  ].join("\n");
  const log = await node.stop();
  expect(answers).toContain("***");
  expect(log).toContain("switched away from an L1 endpoint");
  expect(found(log + answers)).toEqual([]);
}, 60_000);

test("a sequencer rejected by its store or price oracle exits without revealing a key", async () => {
  const [, , address] = echo.addresses(KEYS.storePath);
  const endpoint = (address ?? "").replace(/\?.*/, "");
  const sequencer = ["sequencer", "--preset", "devnet", "--metrics-port", "off"];
  const prices = ["--l1-gas-price", "1", "--blob-gas-price", "1"];
  const published = start(
    [
      ...[...sequencer, ...prices, "--strk-per-eth", "1", "--gateway-port", "0"],
      ...["--publish-gate", `s3://bucket/prefix?endpoint=${endpoint}`],
    ],
    {
      AWS_ACCESS_KEY_ID: KEYS.storeKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.storeKey,
      AWS_SESSION_TOKEN: KEYS.storeSession,
    },
  );
  const priced = start(
    [
      ...[...sequencer, ...prices, ...failing("l1-endpoint", KEYS.l1)],
      ...["--oracle-url", echo.addresses(KEYS.oracle)[2] ?? ""],
      ...["--oracle-api-key-file", keyFile("oracleHeader")],
    ],
    {},
  );
  const [ofStore, ofOracle] = await Promise.all([published.ended, priced.ended]);
  expect(ofStore).toMatch(/s3:\/\/bucket\/prefix at http:\S+: \w+ \S+: status 401 \(\*{3}\)/);
  expect(ofOracle).toContain("the price oracle http://127.0.0.1");
  expect(found(ofStore + ofOracle)).toEqual([]);
}, 60_000);

test("an invalid configuration reveals no key", async () => {
  const wrong = (...args: readonly string[]) => start(args, {}).ended;
  const override = `feeder_gateway_url=ftp://u:${KEYS.configuredGateway}@host/`;
  const texts = await Promise.all([
    wrong("node", "--preset", "sepolia", "--chain-config-override", override),
    wrong("node", "--l1-endpoint", `127.0.0.1:1/v3/${KEYS.l1}`),
    wrong("node", "--gateway-url", `ftp://u:${KEYS.gatewayPassword}@host/`),
  ]);
  expect(texts.map((text) => text.includes("expected http:// or https:// address"))).toEqual([
    true,
    true,
    true,
  ]);
  expect(found(texts.join("\n"))).toEqual([]);
}, 60_000);
