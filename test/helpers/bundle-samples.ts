import { expect } from "bun:test";
import type { Felt } from "#base/primitives/index.ts";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import { NEWEST_PROTOCOL_VERSION } from "#protocol/versions/index.ts";
import {
  type BlockCheckOutcome,
  createBlockVerifier,
  createBundleVerifier,
  type SyncCheck,
} from "#services/sync/index.ts";
import { encodeBundle } from "./bundle.ts";
import { bytesOf, type SampleBlock } from "./gateway-blocks.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Encoded bundle of a block, with the chain, number and key that a follower checks it against. */
export interface SampleBundle {
  readonly chainId: Felt;
  readonly number: number;
  readonly publicKey: Felt;
  readonly bytes: Bytes;
}

/** Bundle of a block in the format of a gateway. */
export async function sampleBundle(block: SampleBlock): Promise<SampleBundle> {
  const { chainId, number, publicKey } = block;
  const verifier = createBlockVerifier({ chainId, newestVersion: NEWEST_PROTOCOL_VERSION });
  const text = bytesOf(block.json());
  const asked = { blockNumber: number, text, signatureText: undefined, publicKey };
  const outcome = await verifier.checkBlock(asked);
  if (outcome.kind !== "checked") throw new TypeError(JSON.stringify(outcome));
  return { chainId, number, publicKey, bytes: outcome.bundle };
}

/** Runs a follower's check of a bundle on bytes, with the parameters of the sample. */
export function checkBundle(
  { chainId, number, publicKey }: SampleBundle,
  bytes: Uint8Array,
): Promise<BlockCheckOutcome> {
  const verifier = createBundleVerifier({ chainId, newestVersion: NEWEST_PROTOCOL_VERSION });
  const text = new Uint8Array(bytes);
  const asked = { blockNumber: number, text, signatureText: undefined, publicKey };
  return verifier.checkBlock(asked);
}

/** Expects that a check rejects a block of a sample with a matching message. */
export function expectRefused(outcome: BlockCheckOutcome, check: SyncCheck, message: RegExp): void {
  expect(outcome).toMatchObject({
    kind: "refused",
    refusal: { check, blockNumber: 77, message: expect.stringMatching(message) as string },
  });
}

/** Bytes of a sample with a change. */
export function changedBundle(
  { bytes }: SampleBundle,
  change: (bundle: BlockBundle) => BlockBundle,
): Bytes {
  return encodeBundle(change(decodeBundle(bytes)));
}

/** Paths at which two values differ, without indices of elements and keys of maps. */
export function differingPlaces(a: unknown, b: unknown, path = ""): string[] {
  if (a instanceof Map && b instanceof Map) {
    return differingPlaces([...a].flat(), [...b].flat(), path);
  }
  if (a instanceof Set && b instanceof Set) return differingPlaces([...a], [...b], path);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return a === b ? [] : [path];
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) =>
    differingPlaces(
      (a as Record<string, unknown>)[name],
      (b as Record<string, unknown>)[name],
      /^\d+$/.test(name) ? path : `${path}.${name}`,
    ),
  );
}
