import { expect, test } from "bun:test";
import { freePolicyOf } from "#app/node/setup/free-policy.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { gatewayOptions } from "#test/helpers/options.ts";

test("allows free transactions only on local addresses, unless configured", async () => {
  const { rpc } = await nodeOptions({});
  const policy = (host: string, gatewayHost: string | null, allowBootstrap = false) =>
    freePolicyOf({
      allowBootstrap,
      rpc: { ...rpc, host },
      fork: null,
      gateway: gatewayHost === null ? null : gatewayOptions({ host: gatewayHost }),
    });
  expect(policy("127.0.0.1", null)).toBe("untilToken");
  expect(policy("localhost", "::1")).toBe("untilToken");
  expect(policy("0.0.0.0", null)).toBe("never");
  expect(policy("127.0.0.1", "10.0.0.1")).toBe("never");
  expect(policy("0.0.0.0", "0.0.0.0", true)).toBe("untilToken");
});
