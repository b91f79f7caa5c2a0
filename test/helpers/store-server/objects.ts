import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Storage of a bucket's objects. All methods are synchronous. */
export interface Bucket {
  get(key: string): Uint8Array<ArrayBuffer> | undefined;
  put(key: string, bytes: Uint8Array): void;
  delete(key: string): void;
  /** Keys with a prefix, ascending. */
  keys(prefix: string): readonly string[];
  sizeBytes(key: string): number;
}

/** A bucket in memory. */
export function memoryBucket(): Bucket {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    get: (key) => objects.get(key),
    put: (key, bytes) => objects.set(key, new Uint8Array(bytes)),
    delete: (key) => objects.delete(key),
    keys: (prefix) => [...objects.keys()].filter((key) => key.startsWith(prefix)).sort(),
    sizeBytes: (key) => objects.get(key)?.length ?? 0,
  };
}

/** A bucket in a folder, with a file for each object; consistent after a kill at any time. */
export function folderBucket(folder: string): Bucket {
  const objects = join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  const writing = join(folder, "writing");
  const pathOf = (key: string): string => join(objects, key);
  return {
    get: (key) => (existsSync(pathOf(key)) ? new Uint8Array(readFileSync(pathOf(key))) : undefined),
    put(key, bytes) {
      mkdirSync(dirname(pathOf(key)), { recursive: true });
      writeFileSync(writing, bytes);
      renameSync(writing, pathOf(key));
    },
    delete: (key) => rmSync(pathOf(key), { force: true }),
    keys(prefix) {
      const names = readdirSync(objects, { recursive: true, withFileTypes: true });
      return names
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name).slice(objects.length + 1))
        .filter((key) => key.startsWith(prefix))
        .sort();
    },
    sizeBytes: (key) => statSync(pathOf(key)).size,
  };
}

/** ETag of a content, without quotes. */
export function etagOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("md5").update(bytes).digest("hex");
}
