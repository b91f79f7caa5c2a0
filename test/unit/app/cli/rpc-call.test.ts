import { afterAll, describe, expect, test } from "bun:test";
import { main } from "#app/cli/index.ts";

const requests: string[] = [];
let answer = '{"jsonrpc":"2.0","id":1,"result":null}';

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    requests.push(await request.text());
    return new Response(answer);
  },
});
afterAll(() => server.stop(true));

async function call(...argv: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(["rpc", "call", ...argv, "--url", server.url.href], {
    environment: {},
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    signal: new AbortController().signal,
  });
  return { code, out: out.join("\n"), err: err.join("\n"), request: requests.at(-1) ?? "" };
}

describe("rpc call", () => {
  test("sends words by position: JSON where they parse, else text", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"result":7}';
    const { code, out, request } = await call(
      "chain_getNonce",
      "latest",
      "0x1f",
      '{"block_number":18446744073709551615}',
      "17",
      "true",
    );
    expect([code, out]).toEqual([0, "7"]);
    expect(request).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"chain_getNonce","params":["latest","0x1f",{"block_number":18446744073709551615},17,true]}',
    );
  });

  test("sends --params by name", async () => {
    const { request } = await call("starknet_getNonce", "--params", '{"block_id":"latest"}');
    expect(JSON.parse(request)).toMatchObject({
      method: "starknet_getNonce",
      params: { block_id: "latest" },
    });
  });

  test("a bare method gets the node's own prefix", async () => {
    expect(JSON.parse((await call("blockNumber")).request)).toMatchObject({
      method: "chain_blockNumber",
      params: [],
    });
  });

  test("prints results without losing digits", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"result":{"n":18446744073709551615}}';
    expect((await call("x")).out).toBe('{\n  "n": 18446744073709551615\n}');
  });

  test("a JSON-RPC error is printed and exits with 1", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"error":{"code":24,"message":"Block not found"}}';
    const { code, out, err } = await call("x");
    expect([code, out]).toEqual([1, ""]);
    expect(JSON.parse(err)).toEqual({ code: 24, message: "Block not found" });
  });

  test("answers that are no JSON-RPC exit with 1", async () => {
    for (const text of ["", "<html>", "[]", "{}"]) {
      answer = text;
      const { code, err } = await call("x");
      expect(code).toBe(1);
      expect(err).toStartWith("error: ");
    }
  });

  test("wrong parameters exit with 2", async () => {
    for (const argv of [
      ["x", "--params", "5"],
      ["x", "--params", "{"],
      ["x", "1", "--params", "[]"],
      [],
    ]) {
      expect((await call(...argv)).code).toBe(2);
    }
  });

  test("a node that is not there exits with 1 and says so", async () => {
    const err: string[] = [];
    const code = await main(["rpc", "call", "x", "--url", "http://127.0.0.1:1"], {
      environment: {},
      err: (line) => err.push(line),
      signal: new AbortController().signal,
    });
    expect(code).toBe(1);
    expect(err.join()).toContain("cannot reach http://127.0.0.1:1");
  });
});
