import { describe, expect, test } from "bun:test";
import { ObjectStoreError } from "#base/errors/index.ts";
import { type ObjectStore, openObjectStore } from "#io/objects/index.ts";
import {
  STORE_KEYS,
  startStoreProcess,
  startStoreServer,
  type StoreServer,
} from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function open(server: StoreServer, prefix = "test"): ObjectStore {
  return openObjectStore(server.options(prefix), STORE_KEYS, new AbortController().signal);
}

/** Error with which a promise is rejected. */
async function failureOf(work: Promise<unknown>): Promise<ObjectStoreError> {
  const cause = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(cause).toBeInstanceOf(ObjectStoreError);
  return cause as ObjectStoreError;
}

describe("S3 object store", () => {
  test("stores, reads, lists and deletes objects below its prefix", async () => {
    await using server = await startStoreServer();
    const store = open(server);
    await store.put("blocks/1", bytesOf("one"));
    await store.put("blocks/3", bytesOf("three"));
    await store.put("blocks/2", new Uint8Array());
    await store.put("leader", bytesOf("x"));
    expect((await store.get("blocks/3", 5))?.bytes).toEqual(bytesOf("three"));
    expect((await store.get("blocks/2", 5))?.bytes).toEqual(new Uint8Array());
    expect(await store.get("blocks/4", 5)).toBeUndefined();
    expect(await store.list("blocks/", undefined, 10)).toEqual([
      { key: "blocks/1", sizeBytes: 3 },
      { key: "blocks/2", sizeBytes: 0 },
      { key: "blocks/3", sizeBytes: 5 },
    ]);
    expect(await store.list("blocks/", "blocks/1", 1)).toEqual([{ key: "blocks/2", sizeBytes: 0 }]);
    await store.delete("blocks/2");
    await store.delete("blocks/2");
    expect(await store.get("blocks/2", 5)).toBeUndefined();
    expect(server.bucket.keys("")).toEqual(["test/blocks/1", "test/blocks/3", "test/leader"]);
    expect(await open(server, "").list("test/", undefined, 1000)).toHaveLength(3);
  });

  test("puts conditionally: if absent, or if the ETag matches", async () => {
    await using server = await startStoreServer();
    const store = open(server);
    const first = await store.putIfAbsent("leader", bytesOf("1"));
    expect(first.kind).toBe("stored");
    expect(await store.putIfAbsent("leader", bytesOf("2"))).toEqual({ kind: "unmet" });
    const etag = (await store.get("leader", 10))?.etag ?? "";
    expect(first).toEqual({ kind: "stored", etag });
    expect((await store.putIfMatch("leader", bytesOf("3"), etag)).kind).toBe("stored");
    expect(await store.putIfMatch("leader", bytesOf("4"), etag)).toEqual({ kind: "unmet" });
    expect((await store.get("leader", 10))?.bytes).toEqual(bytesOf("3"));
    expect(await server.writes()).toEqual(new Map([["test/leader", 2]]));
  });

  test("reads and replaces objects of another tool that have no ETag", async () => {
    await using server = await startStoreServer();
    const store = open(server);
    await store.putIfAbsent("blocks/1", bytesOf("abc"));
    server.loseEtags();
    expect(await store.get("blocks/1", 5)).toEqual({ bytes: bytesOf("abc"), etag: undefined });
    expect(await store.putIfAbsent("blocks/1", bytesOf("x"))).toEqual({ kind: "unmet" });
    const { sizeBytes } = server.bucket;
    Object.assign(server.bucket, { sizeBytes: () => 4 });
    expect(await store.get("blocks/1", 5).catch(String)).toContain("does not match the listing");
    Object.assign(server.bucket, { sizeBytes });
    await store.put("blocks/1", bytesOf("abcd"));
    expect((await store.get("blocks/1", 5))?.etag).toMatch(/^[0-9a-f]{32}$/);
  });

  test("reports a conflict when another put is in progress", async () => {
    await using server = await startStoreServer();
    await server.setFaults({ rules: [{ fault: 409 }] });
    const store = open(server);
    expect(await store.putIfAbsent("a", bytesOf("1"))).toEqual({ kind: "conflict" });
    expect(await store.putIfMatch("a", bytesOf("1"), "e")).toEqual({ kind: "conflict" });
    expect((await failureOf(store.put("a", bytesOf("1")))).retryable).toBe(true);
  });

  test("sends a digest that the store checks", async () => {
    const digests: (string | null)[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ headers }) {
        digests.push(headers.get("content-md5"));
        return new Response("", { headers: { etag: '"e"' } });
      },
    });
    const options = {
      bucket: "chain",
      prefix: "",
      endpoint: server.url.origin,
      region: "us-east-1",
      credentialsFile: null,
    };
    const store = openObjectStore(options, STORE_KEYS, new AbortController().signal);
    // RFC 1321, A.5.
    await store.put("a", bytesOf("abc"));
    await store.putIfAbsent("a", new Uint8Array());
    await server.stop(true);
    expect(digests).toEqual(["kAFQmDzST7DWlj99KOF/cg==", "1B2M2Y8AsgTpgAmY7PhCfg=="]);
  });

  test("lists over pages of any length and requests only the remaining number", async () => {
    const pages = [["1"], [], ["2", "3"], ["4"]].map((digits, index, all) => {
      const entries = digits.map(
        (digit) => `<Contents><Key>test/${digit}</Key><Size>1</Size></Contents>`,
      );
      const more = `<IsTruncated>true</IsTruncated><NextContinuationToken>t${index + 1}</NextContinuationToken>`;
      const end = index < all.length - 1 ? more : "<IsTruncated>false</IsTruncated>";
      return `<ListBucketResult>${end}${entries.join("")}</ListBucketResult>`;
    });
    const asked: (readonly [string | null, string | null])[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ url }) {
        const { searchParams } = new URL(url);
        asked.push([searchParams.get("continuation-token"), searchParams.get("max-keys")]);
        return new Response(pages[asked.length - 1]);
      },
    });
    const options = {
      bucket: "chain",
      prefix: "test",
      endpoint: server.url.origin,
      region: "us-east-1",
      credentialsFile: null,
    };
    const store = openObjectStore(options, STORE_KEYS, new AbortController().signal);
    const listed = await store.list("", undefined, 10);
    await server.stop(true);
    expect(listed.map(({ key }) => key)).toEqual(["1", "2", "3", "4"]);
    expect(asked).toEqual([
      [null, "10"],
      ["t1", "9"],
      ["t2", "9"],
      ["t3", "7"],
    ]);
  });

  test("removes its listeners from the node's signal after any outcome", async () => {
    await using server = await startStoreServer();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners++;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners--;
      remove(...given);
    };
    const store = openObjectStore(server.options(), STORE_KEYS, signal);
    await store.put("a", bytesOf("1"));
    await server.setFaults({ rules: [{ fault: "lost" }] });
    await failureOf(store.get("a", 10));
    expect(listeners).toBe(0);
  });
});

describe("StoreServer of the tests", () => {
  test("keeps its objects when its process restarts", async () => {
    using folder = temporaryFolder();
    await using server = await startStoreProcess(folder.path);
    const store = open(server);
    await store.putIfAbsent("blocks/000000000001", bytesOf("one"));
    await server.setFaults({ rules: [{ fault: "down" }] });
    expect((await failureOf(store.get("blocks/000000000001", 10))).retryable).toBe(true);
    await server.restart();
    expect((await store.get("blocks/000000000001", 10))?.bytes).toEqual(bytesOf("one"));
    expect(await store.putIfAbsent("blocks/000000000001", bytesOf("x"))).toEqual({ kind: "unmet" });
  });
});
