import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { ObjectStoreError } from "#base/errors/index.ts";
import { openObjectStore } from "#io/objects/index.ts";
import {
  answerOf,
  errorOf,
  KEYS,
  saying,
  storeFailureOf as failureOf,
} from "#test/helpers/hostile-store.ts";
import { STORE_KEYS, startStoreServer } from "#test/helpers/store-server.ts";

const BYTES = new Uint8Array([1, 2, 3]);

describe("ObjectStore with faulty responses", () => {
  test("reports status, S3 code and whether a retry may help", async () => {
    const cases: readonly (readonly [string, string, string, boolean])[] = [
      [
        "403 Forbidden",
        "RequestTimeTooSkewed",
        "status 403 (RequestTimeTooSkewed): the clocks of this machine and of the store are too far apart",
        false,
      ],
      [
        "403 Forbidden",
        "InvalidAccessKeyId",
        "status 403 (InvalidAccessKeyId): the access key is unknown",
        false,
      ],
      [
        "404 Not Found",
        "NoSuchBucket",
        "status 404 (NoSuchBucket): the bucket does not exist",
        false,
      ],
      ["400 Bad Request", "InvalidRequest", "status 400 (InvalidRequest)", false],
      ["400 Bad Request", "RequestTimeout", "status 400 (RequestTimeout)", true],
      ["400 Bad Request", "BadDigest", "status 400 (BadDigest)", true],
      ["429 Too Many Requests", "SlowDown", "status 429 (SlowDown)", true],
      ["500 Internal Server Error", "InternalError", "status 500 (InternalError)", true],
      ["507 Insufficient Storage", "", "status 507", true],
      ["206 Partial Content", "", "status 206", true],
    ];
    for (const [status, code, message, isRetryable] of cases) {
      using server = saying(answerOf(status, code === "" ? "<html>" : errorOf(code)));
      for (const ask of [
        () => server.store.get("blocks/1", 10),
        () => server.store.putIfAbsent("blocks/1", BYTES),
        () => server.store.putIfMatch("blocks/1", BYTES, "e"),
        () => server.store.put("blocks/1", BYTES),
        () => server.store.delete("blocks/1"),
        () => server.store.list("blocks/", undefined, 10),
      ]) {
        const failure = await failureOf(ask());
        expect(failure.message).toEndWith(`: ${message}`);
        expect(failure.retryable).toBe(isRetryable);
        expect(failure.meta["status"]).toBe(Number(status.slice(0, 3)));
      }
    }
  });

  test("reports a missing object only with the code NoSuchKey", async () => {
    for (const body of ["", "<html>not found</html>", errorOf("NoSuchUpload")]) {
      using server = saying(answerOf("404 Not Found", body));
      await failureOf(server.store.get("blocks/1", 10));
      await failureOf(server.store.putIfMatch("blocks/1", BYTES, "e"));
      await failureOf(server.store.delete("blocks/1"));
    }
    using server = saying(answerOf("404 Not Found", errorOf("NoSuchKey")));
    expect(await server.store.get("blocks/1", 10)).toBeUndefined();
    expect(await server.store.putIfMatch("blocks/1", BYTES, "e")).toEqual({ kind: "unmet" });
    await server.store.delete("blocks/1");
  });

  test("requires a strong ETag", async () => {
    for (const header of [
      "X: y",
      "ETag: ",
      'ETag: ""',
      'ETag: W/"e"',
      "ETag: e",
      `ETag: "${"e".repeat(300)}"`,
    ]) {
      using server = saying(answerOf("200 OK", "ok", header));
      for (const ask of [
        () => server.store.get("blocks/1", 10),
        () => server.store.putIfAbsent("blocks/1", BYTES),
        () => server.store.putIfMatch("blocks/1", BYTES, "e"),
      ]) {
        // Without an ETag the store compares with a listing, and this server has none.
        expect((await failureOf(ask())).message).toMatch(
          /the response (has no strong ETag|is not a listing)$/,
        );
      }
    }
  });

  test("follows no redirect", async () => {
    using other = saying(answerOf("200 OK", "abc"));
    const location = `Location: http://127.0.0.1:${new URL(other.store.name.split(" at ")[1] ?? "").port}/x`;
    for (const status of ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent"]) {
      using server = saying(answerOf(status, "", location));
      for (const ask of [
        () => server.store.get("blocks/1", 10),
        () => server.store.putIfAbsent("blocks/1", BYTES),
        () => server.store.list("", undefined, 10),
      ]) {
        const failure = await failureOf(ask());
        expect(failure.message).toContain(`status ${status.slice(0, 3)} is a redirect`);
        expect(failure.retryable).toBe(false);
      }
    }
    expect(other.asked).toEqual([]);
  });

  test("reads responses up to the limit and rejects longer ones", async () => {
    const head = 'HTTP/1.1 200 OK\r\nETag: "e"\r\n';
    const large = new Uint8Array(1 << 20);
    using exact = saying(answerOf("200 OK", "a".repeat(100_000)));
    expect((await exact.store.get("blocks/1", 100_000))?.bytes).toHaveLength(100_000);
    for (const maxBytes of [0, 10, 99_999]) {
      const failure = await failureOf(exact.store.get("blocks/1", maxBytes));
      expect(failure).toMatchObject({ code: "OBJECT_STORE_TOO_LARGE", retryable: false });
    }
    // The chunked encoding announces more data forever.
    const chunk = Buffer.concat([
      Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n100000\r\n`),
      large,
    ]);
    using endless = saying(chunk, "open");
    for (const ask of [
      () => endless.store.get("blocks/1", 1_000),
      () => endless.store.putIfAbsent("blocks/1", BYTES),
    ]) {
      expect((await failureOf(ask())).code).toBe("OBJECT_STORE_TOO_LARGE");
    }
    const zipped = gzipSync(new Uint8Array(1 << 24));
    using bomb = saying(
      Buffer.concat([
        Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`),
        zipped,
      ]),
    );
    expect((await failureOf(bomb.store.get("blocks/1", 1 << 20))).code).toBe(
      "OBJECT_STORE_TOO_LARGE",
    );
  });

  test("rejects truncated responses and anything but HTTP", async () => {
    for (const text of [
      'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 10\r\n\r\nabc',
      'HTTP/1.1 200 OK\r\nETag: "e"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      "HTTP/1.1 2",
      "SSH-2.0-OpenSSH_9.2\r\n",
      "",
      'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
    ]) {
      using server = saying(text);
      const failure = await failureOf(server.store.get("blocks/1", 100));
      expect(failure).toMatchObject({ code: "OBJECT_STORE_FAILED", retryable: true });
    }
  });
});

describe("ObjectStore requests", () => {
  test("are signed with the session token by every method", async () => {
    await using server = await startStoreServer({ sessionToken: KEYS.sessionToken });
    const { signal } = new AbortController();
    const store = openObjectStore(server.options(), KEYS, signal);
    const { kind } = await store.putIfAbsent("a", BYTES);
    expect(kind).toBe("stored");
    const etag = (await store.get("a", 10))?.etag ?? "";
    expect((await store.putIfMatch("a", BYTES, etag)).kind).toBe("stored");
    await store.put("b", BYTES);
    await store.delete("b");
    expect(await store.list("", undefined, 10)).toHaveLength(1);
    for (const sessionToken of [null, "another"]) {
      const wrong = openObjectStore(server.options(), { ...KEYS, sessionToken }, signal);
      expect((await failureOf(wrong.get("a", 10))).meta["s3Code"]).toBe("InvalidToken");
    }
  });

  test("fail with wrong keys, another region or another bucket", async () => {
    await using server = await startStoreServer();
    const { signal } = new AbortController();
    const codes: unknown[] = [];
    const options = server.options();
    for (const [where, keys] of [
      [options, { ...STORE_KEYS, secretAccessKey: "x" }],
      [options, { ...STORE_KEYS, accessKeyId: "x" }],
      [{ ...options, region: "eu-west-1" }, STORE_KEYS],
      [{ ...options, bucket: "other" }, STORE_KEYS],
    ] as const) {
      const cause = await openObjectStore(where, keys, signal)
        .list("", undefined, 1)
        .catch((error: unknown) => error);
      codes.push((cause as ObjectStoreError).meta["s3Code"]);
    }
    expect(codes).toEqual([
      "SignatureDoesNotMatch",
      "InvalidAccessKeyId",
      "AuthorizationHeaderMalformed",
      "NoSuchBucket",
    ]);
  });

  test("end immediately when the caller aborts", async () => {
    using server = saying("", "open");
    const stop = new AbortController();
    const { port } = new URL(server.store.name.split(" at ")[1] ?? "");
    const options = {
      bucket: "chain",
      prefix: "",
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      credentialsFile: null,
    };
    const store = openObjectStore(options, KEYS, stop.signal);
    const asked = store.get("leader", 10);
    setTimeout(() => stop.abort(), 20);
    expect((await failureOf(asked)).code).toBe("OBJECT_STORE_STOPPED");
    expect((await failureOf(store.put("leader", BYTES))).code).toBe("OBJECT_STORE_STOPPED");
  });
});
