import { expect, test } from "bun:test";
import type { FollowOptions } from "#app/node/setup/follow.ts";
import { syncSettings } from "#app/node/sync/sync-settings.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { loadChainConfig } from "#protocol/config/index.ts";

const FOLLOW: FollowOptions = {
  store: null,
  gateways: [{ feeder: "http://a/feeder_gateway", gateway: "http://a/gateway" }],
  gatewayKeyFile: null,
  stopAt: 9,
  verify: "hashes",
  trustsCasm: true,
};

test("a gateway is believed about L1 where nobody here follows L1", async () => {
  const { config } = await loadChainConfig({ preset: "mainnet", role: "full" });
  for (const followsL1 of [true, false]) {
    const setup = { config, files: nodeFiles("/nowhere", null), follow: FOLLOW, followsL1 };
    const settings = syncSettings(setup, FOLLOW);
    expect(settings).toMatchObject({
      takesL1Status: !followsL1,
      gatewayCount: 1,
      stopAt: 9,
      trustsCasm: true,
    });
  }
});
