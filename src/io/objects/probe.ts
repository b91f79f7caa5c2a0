import { ObjectStoreError } from "#base/errors/index.ts";
import { ProbedObjects } from "./probed-objects.ts";
import type { RetryOptions } from "./retrying.ts";
import type { ObjectStore } from "./types.ts";

/** Prefix of objects that are stored to probe a store. */
const PROBE = "probe/";

/**
 * Number of parallel puts per round, and of rounds. A store with a race between check and write is not always
 * caught.
 */
const PARALLEL_PUTS = 16;
const ROUNDS = 3;

/** ETag that no content has. */
const NO_CONTENT = "0".repeat(32);

const KEY = "one";

/**
 * Probes whether a store honors the conditions that correctness depends on. Exactly one of several puts of a
 * new object wins and is never overwritten. A content is replaced only if its ETag matches. Stored objects
 * are listed. Waits for an unavailable store. Deletes its objects afterwards.
 *
 * @throws {ObjectStoreError} `OBJECT_STORE_UNFIT`, with the observed response, when the store violates them;
 *   `OBJECT_STORE_FAILED` when it rejects requests repeatedly; `OBJECT_STORE_STOPPED` when the signal is
 *   aborted
 */
export async function probeStore(store: ObjectStore, options: RetryOptions): Promise<void> {
  const folder = `${PROBE}${crypto.randomUUID().replaceAll("-", "")}/`;
  const objects = new ProbedObjects(store, folder, options);
  try {
    await putTwice(objects);
    await replace(objects);
    for (let round = 0; round < ROUNDS; round++) await putConcurrently(objects, `at-once-${round}`);
    await objects.areListed();
  } finally {
    await objects.clean();
  }
}

/** A conditional put must not overwrite an existing object. */
async function putTwice(objects: ProbedObjects): Promise<void> {
  await objects.putFirst(KEY, content(1));
  const second = (): ReturnType<ObjectStore["putIfAbsent"]> =>
    objects.store.putIfAbsent(objects.key(KEY), content(2));
  await objects.isRefused(second, "a second put of an object with If-None-Match: *");
  await objects.has(KEY, content(1));
}

/** A put must replace an object only if the ETag matches. */
async function replace(objects: ProbedObjects): Promise<void> {
  const put = (bytes: Uint8Array, etag: string): ReturnType<ObjectStore["putIfMatch"]> =>
    objects.store.putIfMatch(objects.key(KEY), bytes, etag);
  const etag = await objects.etagOf(KEY);
  await objects.isRefused(() => put(content(3), NO_CONTENT), "a put with another If-Match");
  await objects.has(KEY, content(1));
  await objects.isReplaced(KEY, () => put(content(4), etag), content(4));
  await objects.isRefused(() => put(content(5), etag), "a put with an If-Match of before");
  await objects.has(KEY, content(4));
}

/** Exactly one of several parallel puts must win. */
function putConcurrently(objects: ProbedObjects, key: string): Promise<void> {
  const contents = Array.from({ length: PARALLEL_PUTS }, (_, index) => content(index));
  const won = new Set<number>();
  return objects.until(async () => {
    const { store } = objects;
    const puts = await Promise.allSettled(
      contents.map((bytes) => store.putIfAbsent(objects.key(key), bytes)),
    );
    puts.forEach((put, index) => {
      if (put.status === "fulfilled" && put.value.kind === "stored") won.add(index);
    });
    if (won.size > 1) {
      throw objects.unfit(`${won.size} of ${PARALLEL_PUTS} parallel puts of one object succeeded`);
    }
    const there = await objects.read(key);
    if (there === undefined && won.size === 0) {
      const failed = puts.find((put) => put.status === "rejected");
      if (failed?.reason instanceof ObjectStoreError) throw failed.reason;
      return `none of ${PARALLEL_PUTS} parallel puts of one object succeeded`;
    }
    const [first] = won;
    const owner = contents.findIndex((bytes) => Buffer.compare(bytes, there ?? bytes) === 0);
    if (there === undefined || owner === -1 || owner !== (first ?? owner)) {
      throw objects.unfit("an object does not have the content of the put that succeeded");
    }
    return undefined;
  });
}

/** Large enough that writing it takes some time. */
const CONTENT_BYTES = 32 << 10;

function content(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(CONTENT_BYTES).fill(number);
}
