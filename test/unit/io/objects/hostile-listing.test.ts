import { describe, expect, test } from "bun:test";
import {
  answerOf,
  errorOf,
  saying,
  storeFailureOf as failureOf,
} from "#test/helpers/hostile-store.ts";

describe("ObjectStore.list", () => {
  const page = (entries: string, end = "<IsTruncated>false</IsTruncated>"): string =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${end}${entries}</ListBucketResult>`;
  const entry = (key: string, size = "1"): string =>
    `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`;

  test("rejects malformed listings", async () => {
    const more = "<IsTruncated>true</IsTruncated>";
    for (const text of [
      "",
      "[]",
      "<html></html>",
      errorOf("InternalError"),
      page("").slice(0, -5),
      page("", ""),
      page("", more),
      page("", `${more}<NextContinuationToken></NextContinuationToken>`),
      page("<Contents>"),
      page("<Contents></Contents>"),
      page(entry("other/blocks/1")),
      page(entry("test/blocks/1", "-1")),
      page(entry("test/blocks/1", "1e3")),
      page(entry("test/blocks/1", "9".repeat(16))),
      page(entry("test/blocks/2") + entry("test/blocks/1")),
      page(entry("test/blocks/2") + entry("test/blocks/2")),
      page(entry("test/blocks/0")),
      "<ListBucketResult>".repeat(200_000),
      `${"<a>".repeat(1_000_000)}</ListBucketResult>`,
      " ".repeat(4_000_000),
      page("<Contents><Key>".repeat(200_000)),
    ]) {
      using server = saying(answerOf("200 OK", text));
      const failure = await failureOf(server.store.list("blocks/", "blocks/0", 10));
      expect(failure.message).toEndWith("the response is not a listing");
      expect(failure.retryable).toBe(true);
    }
  });

  test("skips keys of others", async () => {
    const names = [
      "test/blocks/&lt;&amp;",
      "test/blocks/../leader",
      "test/blocks//1",
      "test/blocks/1 2",
    ];
    using server = saying(
      answerOf("200 OK", page([...names, "test/blocks/3"].map((key) => entry(key)).join(""))),
    );
    expect(await server.store.list("blocks/", undefined, 10)).toEqual([
      { key: "blocks/3", sizeBytes: 1 },
    ]);
  });

  test("fails when the store claims that there is always more", async () => {
    const endless = page(
      "",
      "<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</NextContinuationToken>",
    );
    using server = saying(answerOf("200 OK", endless));
    const failure = await failureOf(server.store.list("blocks/", undefined, 10));
    expect(failure.message).toEndWith("the listing does not end");
    expect(server.asked.length).toBeLessThanOrEqual(100);
    expect(server.asked.at(-1)).toContain("continuation-token=a%26b");
  });

  test("never returns more than the requested number", async () => {
    const many = Array.from({ length: 20 }, (_, index) => entry(`test/blocks/${100 + index}`)).join(
      "",
    );
    using server = saying(answerOf("200 OK", page(many)));
    expect(await server.store.list("blocks/", undefined, 10)).toHaveLength(10);
  });
});
