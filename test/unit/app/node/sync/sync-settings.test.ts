import { expect, test } from "bun:test";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import { signerOf } from "#app/node/storage/folder/public-key.ts";
import type { FollowOptions } from "#app/node/setup/follow.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { syncSettings } from "#app/node/sync/sync-settings.ts";
import { loadChainConfig } from "#protocol/config/index.ts";
import { followOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const FOLLOW = followOptions({
  gateways: [{ feeder: "http://a/feeder_gateway", gateway: "http://a/gateway" }],
  stopAt: 9,
  trustsCasm: true,
});

const STORE = {
  bucket: "chain",
  prefix: "",
  endpoint: "http://b",
  region: "us-east-1",
  credentialsFile: null,
};

async function settingsOf(follow: FollowOptions, folder: string, followsL1 = false) {
  const { config } = await loadChainConfig({ preset: "mainnet", role: "full" });
  const setup = { config, files: nodeFiles(folder, null), follow, followsL1 };
  return { config, setup, settings: syncSettings(setup, follow) };
}

test("trusts the gateway's L1 status only if the node does not follow L1", async () => {
  for (const followsL1 of [true, false]) {
    const { settings } = await settingsOf(FOLLOW, "/nowhere", followsL1);
    expect(settings).toMatchObject({
      takesL1Status: !followsL1,
      sourceName: "the gateway",
      gatewayCount: 1,
      headPollMs: 1_000,
      stopAt: 9,
      trustsCasm: true,
    });
  }
});

test("counts a store as one source, whatever the number of gateways, and polls it more often", async () => {
  const [gateway] = FOLLOW.gateways;
  if (gateway === undefined) throw new TypeError("no gateway");
  const follow = { ...FOLLOW, store: STORE, gateways: [gateway, gateway, gateway] };
  const { config, settings } = await settingsOf(follow, "/nowhere");
  expect(settings).toMatchObject({
    sourceName: "the store",
    gatewayCount: 1,
    headPollMs: 500,
    publicKey: config.sequencerPublicKey,
  });
});

test("a standby accepts only blocks signed with its own key", async () => {
  using folder = temporaryFolder();
  const { publicKey } = loadSigningKey(nodeFiles(folder.path, null).signingKey);
  const follow = { ...FOLLOW, store: STORE, gateways: [] };
  const { config, setup, settings } = await settingsOf(follow, folder.path);
  expect(settings.publicKey).toBe(publicKey);
  expect(signerOf(setup)).toBe(publicKey);
  expect(config.sequencerPublicKey).not.toBe(publicKey);
  expect(signerOf({ ...setup, follow: null })).toBe(config.sequencerPublicKey);
});
