import { describe, expect, test } from "bun:test";
import { readObjectStoreUrl } from "#io/objects/index.ts";

describe("readObjectStoreUrl", () => {
  test("reads bucket, prefix, endpoint and region", () => {
    expect(
      readObjectStoreUrl("s3://chain/a/b-1_c.d?endpoint=http://127.0.0.1:7070&region=eu-west-1"),
    ).toEqual({
      bucket: "chain",
      prefix: "a/b-1_c.d",
      endpoint: "http://127.0.0.1:7070",
      region: "eu-west-1",
    });
    expect(readObjectStoreUrl("s3://chain/a/?endpoint=https://host/s3/")).toEqual({
      bucket: "chain",
      prefix: "a",
      endpoint: "https://host/s3",
      region: "us-east-1",
    });
    expect(readObjectStoreUrl("s3://chain?endpoint=https%3A%2F%2Fhost%3A9000")?.endpoint).toBe(
      "https://host:9000",
    );
  });

  test("defaults to Amazon's endpoint of the region", () => {
    expect(readObjectStoreUrl("s3://my.chain-1?region=eu-west-1")).toEqual({
      bucket: "my.chain-1",
      prefix: "",
      endpoint: "https://s3.eu-west-1.amazonaws.com",
      region: "eu-west-1",
    });
    expect(readObjectStoreUrl("s3://chain/")?.endpoint).toBe("https://s3.us-east-1.amazonaws.com");
  });

  test.each([
    "",
    "chain",
    "http://chain/a",
    "S3://chain/a",
    "s3:/chain/a",
    "s3://",
    "s3:///a",
    "s3://ab",
    `s3://${"a".repeat(64)}`,
    "s3://Chain",
    "s3://-chain",
    "s3://chain_1",
    "s3://key:secret@chain/a",
    "s3://key@chain/a",
    "s3://:secret@chain/a",
    "s3://chain:1/a",
    "s3://chain/a#b",
    "s3://chain//a",
    "s3://chain/a//b",
    "s3://chain/a b",
    "s3://chain/a%20b",
    "s3://chain/a\n",
    "s3://chain/ä",
    `s3://chain/${"a".repeat(513)}`,
    "s3://chain?region=EU",
    "s3://chain?region=",
    "s3://chain?regions=eu",
    "s3://chain?region=eu&region=us",
    "s3://chain?endpoint=",
    "s3://chain?endpoint=host",
    "s3://chain?endpoint=ftp://host",
    "s3://chain?endpoint=http://key:secret@host",
    "s3://chain?endpoint=http://host%3Fa=b",
    "s3://chain?endpoint=http://host/%3F",
    "s3://chain?endpoint=http://host%23a",
    "s3://chain?endpoint=http://host%0A",
    "s3://chain?endpoint=%20http://host",
    "s3://chain?endpoint=http://a&endpoint=http://b",
  ])("rejects %p", (text) => {
    expect(readObjectStoreUrl(text)).toBeUndefined();
  });

  test("resolves dot segments without leaving the bucket", () => {
    expect(readObjectStoreUrl("s3://chain/a/../b")?.prefix).toBe("b");
    expect(readObjectStoreUrl("s3://chain/../../b")?.prefix).toBe("b");
    expect(readObjectStoreUrl("s3://chain/a/%2e%2e/b")?.prefix).toBe("b");
  });
});
