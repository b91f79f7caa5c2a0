import { expect, test } from "bun:test";
import { loadChainConfig } from "#protocol/config/index.ts";
import { keptPublicKey } from "#services/sync/index.ts";
import {
  decodeMetadata,
  isFollowed,
  METADATA_KEY,
  requireSameFollowed,
} from "#app/node/storage/folder/chain-metadata.ts";
import { keepImported, type ImportedChain } from "#app/node/storage/folder/imported-chain.ts";

/** Stored metadata and key of an imported chain. */
function kept(imported: ImportedChain) {
  const values = new Map<string, Uint8Array>();
  const chain = { value: (key: string) => values.get(key) };
  const putValue = (key: string, value: Uint8Array | undefined) =>
    value === undefined ? void values.delete(key) : void values.set(key, value);
  keepImported(chain, { putValue }, imported);
  return { metadata: decodeMetadata(values.get(METADATA_KEY)), key: keptPublicKey(chain) };
}

const newest = { number: 5, protocolVersion: "0.13.4" };

test("an imported chain counts as followed, with the key that signed it", async () => {
  const { metadata, key } = kept({ config: null, publicKey: 0x77n });
  expect(isFollowed(metadata)).toBe(true);
  expect(key).toBe(0x77n);
  // Any configuration matches until one was used.
  const { config } = await loadChainConfig({ preset: "sepolia", role: "full" });
  requireSameFollowed(metadata, config, newest, "/data");
});

test("stores no missing key, and requires a stored configuration to match", async () => {
  const { config } = await loadChainConfig({ preset: "sepolia", role: "full" });
  const { metadata, key } = kept({ config, publicKey: null });
  expect(key).toBe(undefined);
  requireSameFollowed(metadata, config, newest, "/data");
  const other = { ...config, nativeFeeTokenAddress: 0x5n };
  expect(() => requireSameFollowed(metadata, other, newest, "/data")).toThrow("1 difference");
});
