import { beforeAll, describe, expect, test } from "bun:test";
import { explorerRoutes, loadPageRoutes } from "#api/explorer/index.ts";
import { resultOf } from "#test/helpers/binary.ts";
import { unused } from "#test/helpers/serving.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const chain = useChain({ args: ["--explorer", "on"] });
const FOREIGN = "https://foreign.example";
const REBOUND = "rebound.example";

/** Every route of the explorer, also of later versions of this program. */
const ROUTES = explorerRoutes({
  assets: await loadPageRoutes(),
  data: unused("data of the explorer"),
}).map((route) => ({ path: route.path, method: "post" in route ? "POST" : "GET" }));

/** A call of each kind that changes a chain, or what its node does. */
const WRITES = [
  ["starknet_addInvokeTransaction", [{}]],
  ["starknet_addDeclareTransaction", [{}]],
  ["starknet_addDeployAccountTransaction", [{}]],
  ["devnet_createBlock", []],
  ["devnet_mint", { address: "0x77", amount: 5 }],
  ["devnet_setTime", { time: 4_000_000_000 }],
  ["devnet_restart", []],
  ["devnet_impersonateAccount", { account_address: "0x77" }],
] as const;

const callText = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

let head: number;

beforeAll(async () => {
  await resultOf(chain, "devnet_createBlock");
  head = await chain.provider.getBlockNumber();
}, 120_000);

async function expectUnchanged(): Promise<void> {
  const block = (await resultOf(chain, "starknet_blockNumber")) as number;
  const balance = await resultOf(chain, "devnet_getAccountBalance", { address: "0x77" });
  expect([block, balance]).toMatchObject([head, { amount: "0" }]);
}

const request = (
  path: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Response> =>
  fetch(`${chain.url}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });

test("the explorer has its page, its files and its data", () => {
  const paths = ROUTES.map(({ path }) => path);
  expect(paths).toContain("/explorer/");
  expect(paths).toContain("/explorer/api/status");
  expect(paths.length).toBeGreaterThan(10);
});

describe.each(ROUTES)("$method $path", ({ path, method }) => {
  const body = method === "POST" ? "{}" : undefined;

  test("is refused to a page whose domain name was rebound to the node", async () => {
    const response = await request(path, method, { host: REBOUND }, body);
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("<html");
  });

  test("gives a page of another origin no leave to read it", async () => {
    const headers = { origin: FOREIGN, "content-type": "application/json" };
    const response = await request(path, method, headers, body);
    await response.arrayBuffer();
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("takes no form of a page of another origin", async () => {
    const headers = { origin: FOREIGN, "content-type": "text/plain" };
    const response = await request(path, "POST", headers, "{}");
    await response.arrayBuffer();
    expect(response.status).toBe(method === "POST" ? 403 : 405);
  });

  test("has no preflight for a page of another origin", async () => {
    const response = await request(path, "OPTIONS", {
      origin: FOREIGN,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    });
    await response.arrayBuffer();
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("is embedded in no other page, and read as no other type", async () => {
    const response = await request(path, method, { "content-type": "application/json" }, body);
    await response.arrayBuffer();
    const { headers } = response;
    if (response.status === 307) return expect(headers.get("location")).toBe("explorer/");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    if (path.startsWith("/explorer/api/")) {
      // A frame of it shows text of this type.
      return expect(headers.get("content-type")).toBe("application/json");
    }
    const policy = headers.get("content-security-policy")?.split("; ") ?? [];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'self'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });
});

describe.each(WRITES)("%s", (method, params) => {
  test("changes nothing when a page of another origin sends it as a form", async () => {
    for (const contentType of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
    ]) {
      const headers = { origin: FOREIGN, "content-type": contentType };
      const response = await request("/rpc", "POST", headers, callText(method, params));
      expect([contentType, response.status]).toEqual([contentType, 403]);
      await response.arrayBuffer();
    }
    await expectUnchanged();
  });

  test("changes nothing when a page with a rebound domain name sends it", async () => {
    const headers = {
      host: REBOUND,
      origin: `http://${REBOUND}`,
      "content-type": "application/json",
    };
    const response = await request("/rpc", "POST", headers, callText(method, params));
    expect(response.status).toBe(403);
    await response.arrayBuffer();
    await expectUnchanged();
  });

  test("has no preflight for a page of another origin", async () => {
    const response = await request("/rpc", "OPTIONS", {
      origin: FOREIGN,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    });
    await response.arrayBuffer();
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

test.each([
  ["another origin", { origin: FOREIGN }],
  ["a rebound domain name", { host: REBOUND, origin: `http://${REBOUND}` }],
])("a page of %s opens no WebSocket", async (_, headers) => {
  const response = await request("/ws", "GET", {
    ...headers,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  });
  expect(response.status).toBe(403);
});
