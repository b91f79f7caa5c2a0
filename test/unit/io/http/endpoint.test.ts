import { describe, expect, test } from "bun:test";
import { endpointOf, endpointsOf } from "#io/http/index.ts";

describe("the name of an endpoint", () => {
  test("is its address without what may be a key", () => {
    expect(endpointOf("https://user:word@host:8443/v3/KEY/rpc/?apikey=KEY2#x", []).name).toBe(
      "https://host:8443/v3/***/rpc",
    );
  });

  test("has a number where another one looks alike", () => {
    const names = endpointsOf(
      [
        "https://rpc.example/v2/aaaaaaaaaaaa",
        "https://rpc.example/v2/bbbbbbbbbbbb",
        "http://127.0.0.1:8545",
      ],
      [],
    ).map(({ name }) => name);
    expect(names).toEqual([
      "https://rpc.example/v2/***",
      "https://rpc.example/v2/*** (2)",
      "http://127.0.0.1:8545",
    ]);
  });
});

describe("a text that is masked", () => {
  const { masked, headers } = endpointOf(
    "https://us%20er:pass%2Fword@host/v3/PATHKEY0123/abc?apikey=QUERYKEY01&BAREKEY0123",
    ["HEADERKEY01"],
  );

  for (const [what, secret] of [
    ["the user", "us er"],
    ["the password", "pass/word"],
    ["the password as it was written", "pass%2Fword"],
    ["both as they are sent", headers["authorization"]?.replace("Basic ", "")],
    ["a segment of the path", "PATHKEY0123"],
    ["a segment in another case", "pathkey0123"],
    ["a value of the query", "QUERYKEY01"],
    ["a parameter without a value", "BAREKEY0123"],
    ["what headers hold", "HEADERKEY01"],
  ] as const) {
    test(`has no more of ${what}`, () => {
      expect(masked(`no access for ${secret}, at all`)).toBe("no access for ***, at all");
    });
  }

  test("keeps a short part of the path where it is part of a word", () => {
    expect(masked("/v3/abc is no abcd of eth_abc")).toBe("/v3/*** is no abcd of eth_abc");
  });

  test("has nothing of the whole address but host, names and versions", () => {
    const address = "https://host/v3/PATHKEY0123/abc?apikey=QUERYKEY01&BAREKEY0123";
    expect(masked(`401: ${address}`)).toBe("401: https://host/v3/***/***?apikey=***&***");
  });

  test("stays as it is where the address has no keys", () => {
    expect(endpointOf("http://host/rpc/v0_9", []).masked("http://host/rpc/v0_9")).toBe(
      "http://host/rpc/v0_9",
    );
  });
});
