import { describe, expect, test } from "bun:test";
import { shownAddress, shownWord } from "#base/primitives/index.ts";

describe("shownAddress and shownWord", () => {
  for (const [given, shown] of [
    ["https://user:word@host:8443/v3/KEY/?token=KEY#KEY", "https://host:8443/v3/***"],
    ["http://127.0.0.1:9944/rpc/v0_10_2", "http://127.0.0.1:9944/rpc/v0_10_2"],
    ["http://[::1]:8080/feeder_gateway/", "http://[::1]:8080/feeder_gateway"],
    ["https://host/gateway/v1.5/rpcKEY", "https://host/gateway/v1.5/***"],
    ["ftp://user:word@host/KEY", "ftp://host/***"],
    ["s3://KEY:word@bucket/KEY?endpoint=http://host/KEY", "s3://bucket/***"],
    ["host/v3/KEY", "***"],
    ["mailto:KEY@host", "***"],
    ["", "***"],
  ] as const) {
    test(`show ${shown} for ${given}`, () => expect(shownAddress(given)).toBe(shown));
  }

  test("keep a word that is not an address", () => {
    expect([shownWord("latest"), shownWord("http://host/KEY")]).toEqual([
      "latest",
      "http://host/***",
    ]);
  });
});
