import { decodeBundle } from "#protocol/chain/index.ts";
import { encodeBundle } from "./bundle.ts";
import { createRandom } from "./random.ts";
import type { Bucket } from "./store-server/objects.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A bucket that occasionally serves wrong bundles and listings. */
export interface LyingBucket extends Bucket {
  /** Share of the responses that are lies, from 0 to 1. */
  rate: number;
  /** Number of lies, by name. */
  readonly lieCounts: Map<string, number>;
}

/** Size of a made-up bundle. */
const LARGE_BYTES = 24 * 2 ** 20;

/** Wraps a bucket so that it lies about keys below `blocks/` at a rate. */
export function lyingBucket(honest: Bucket, seed: number): LyingBucket {
  const random = createRandom(seed);
  const lies: Readonly<Record<string, (bytes: Bytes, key: string) => Bytes | undefined>> = {
    flipped(bytes) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return bytes;
    },
    cut: (bytes) => bytes.slice(0, random.below(bytes.length)),
    longer: (bytes) => Buffer.concat([bytes, bytes]) as Bytes,
    empty: () => new Uint8Array(),
    another(_, key) {
      const keys = honest.keys(key.slice(0, key.lastIndexOf("/") + 1));
      return honest.get(keys[random.below(keys.length)] ?? "");
    },
    epoch(bytes) {
      const bundle = decodeBundle(bytes);
      return encodeBundle({ ...bundle, epoch: random.below(9) });
    },
    // Endless lists, of items of one byte.
    large(bytes) {
      const large = new Uint8Array(LARGE_BYTES);
      large.set(bytes.subarray(0, random.below(bytes.length)));
      return large;
    },
    missing: () => undefined,
  };
  const names = Object.keys(lies);
  const lieCounts = new Map<string, number>();
  const tell = (name: string): string => {
    lieCounts.set(name, (lieCounts.get(name) ?? 0) + 1);
    return name;
  };
  const isLie = (): boolean => random.below(1_000) < bucket.rate * 1_000;
  const bucket: LyingBucket = {
    ...honest,
    rate: 0,
    lieCounts,
    get(key) {
      const bytes = honest.get(key);
      if (bytes === undefined || !key.includes("blocks/") || !isLie()) return bytes;
      const name = tell(names[random.below(names.length)] ?? "empty");
      return lies[name]?.(new Uint8Array(bytes), key);
    },
    keys(prefix) {
      const keys = honest.keys(prefix);
      if (!isLie()) return keys;
      tell("listing");
      const made = `${prefix}${String(random.below(1_000)).padStart(12, "0")}`;
      return random.below(2) === 0 ? [] : [...new Set([...keys, made])].sort();
    },
    sizeBytes: (key) => honest.get(key)?.length ?? 1,
  };
  return bucket;
}
