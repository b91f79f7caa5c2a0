import { describe, expect, test } from "bun:test";
import { endpointOf, endpointsOf } from "#io/http/index.ts";

describe("the name of an endpoint", () => {
  test("is its address without possible keys", () => {
    expect(endpointOf("https://user:word@host:8443/v3/KEY/rpc/?apikey=KEY2#x", []).name).toBe(
      "https://host:8443/v3/***/rpc",
    );
  });

  test("is numbered when another one looks the same", () => {
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

describe("Endpoint.masked", () => {
  const { masked, headers } = endpointOf(
    "https://us%20er:pass%2Fword@host/v3/PATHKEY0123/abc?apikey=QUERYKEY01&BAREKEY0123",
    ["HEADERKEY01"],
  );

  for (const [what, secret] of [
    ["the user", "us er"],
    ["the password", "pass/word"],
    ["the encoded password", "pass%2Fword"],
    ["the basic credentials", headers["authorization"]?.replace("Basic ", "")],
    ["a segment of the path", "PATHKEY0123"],
    ["a segment in another case", "pathkey0123"],
    ["a value of the query", "QUERYKEY01"],
    ["a parameter without a value", "BAREKEY0123"],
    ["header values", "HEADERKEY01"],
  ] as const) {
    test(`hides ${what}`, () => {
      expect(masked(`no access for ${secret}, at all`)).toBe("no access for ***, at all");
    });
  }

  test("hides a short path segment only as a whole word", () => {
    expect(masked("/v3/abc is no abcd of eth_abc")).toBe("/v3/*** is no abcd of eth_abc");
  });

  test("hides all of the address but host, names and versions", () => {
    const address = "https://host/v3/PATHKEY0123/abc?apikey=QUERYKEY01&BAREKEY0123";
    expect(masked(`401: ${address}`)).toBe("401: https://host/v3/***/***?apikey=***&***");
  });

  test("keeps the text if the address has no keys", () => {
    expect(endpointOf("http://host/rpc/v0_9", []).masked("http://host/rpc/v0_9")).toBe(
      "http://host/rpc/v0_9",
    );
  });
});
