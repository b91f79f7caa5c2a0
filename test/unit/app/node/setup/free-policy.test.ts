import { expect, test } from "bun:test";
import { freePolicyOf } from "#app/node/setup/free-policy.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";

test("free transactions are taken where only this machine reaches the node, elsewhere on request", async () => {
  const { rpc } = await nodeOptions({});
  const policy = (host: string, gatewayHost: string | null, allowBootstrap = false) =>
    freePolicyOf({
      allowBootstrap,
      rpc: { ...rpc, host },
      gateway: gatewayHost === null ? null : { host: gatewayHost, port: 0, rateLimit: null },
    });
  expect(policy("127.0.0.1", null)).toBe("untilToken");
  expect(policy("localhost", "::1")).toBe("untilToken");
  expect(policy("0.0.0.0", null)).toBe("never");
  expect(policy("127.0.0.1", "10.0.0.1")).toBe("never");
  expect(policy("0.0.0.0", "0.0.0.0", true)).toBe("untilToken");
});
