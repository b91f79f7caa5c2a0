import { afterAll, describe, expect, test } from "bun:test";
import { run } from "./run.ts";

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

const call = (...argv: readonly string[]) => callAt(server.url.href, ...argv);

async function callAt(url: string, ...argv: readonly string[]) {
  const { code, out, err } = await run(["rpc", "call", ...argv, "--url", url]);
  return { code, out, err, request: requests.at(-1) ?? "" };
}

describe("rpc call", () => {
  test("sends words by position: as JSON if they parse, else as text", async () => {
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

  test("sends one object by name if its members are parameters, else by position", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"result":7}';
    const cases: readonly [readonly string[], string][] = [
      [["getBlockWithTxHashes", '{"block_id":"latest"}'], '{"block_id":"latest"}'],
      [["getBlockWithTxHashes", '{"block_id":5}'], '{"block_id":{"block_number":5}}'],
      [["getBlockWithTxHashes", '{"block_number":5}'], '[{"block_number":5}]'],
      [
        ["starknet_getNonce", '{"contract_address":"0x7","block_id":"0x1f"}'],
        '{"contract_address":"0x7","block_id":{"block_hash":"0x1f"}}',
      ],
      [["getEvents", '{"filter":{"chunk_size":1}}'], '{"filter":{"chunk_size":1}}'],
      [["getEvents", '{"chunk_size":1}'], '[{"chunk_size":1}]'],
      [["blockNumber", "{}"], "{}"],
      [["devnet_mint", '{"address":"0x1","amount":5}'], '{"address":"0x1","amount":5}'],
      [["devnet_nothing", '{"a":1}', "2"], '[{"a":1},2]'],
    ];
    for (const [words, params] of cases) {
      const { request } = await call(...words);
      expect(request.slice(request.indexOf('"params":') + 9, -1)).toBe(params);
    }
  });

  test("adds the node's prefix to a bare method", async () => {
    expect(JSON.parse((await call("blockNumber")).request)).toMatchObject({
      method: "chain_blockNumber",
      params: [],
    });
  });

  test("accepts bare numbers, hashes and tags only for a block id", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"result":7}';
    const cases: readonly [readonly string[], string][] = [
      [["getBlockWithTxHashes", "5"], '[{"block_number":5}]'],
      [["getBlockWithTxHashes", "0x1f"], '[{"block_hash":"0x1f"}]'],
      [["getBlockWithTxHashes", "latest"], '["latest"]'],
      [["starknet_getStorageAt", "0x1", "0x2", "3"], '["0x1","0x2",{"block_number":3}]'],
      [["chain_getNonce", "5", "0x7"], '[{"block_number":5},"0x7"]'],
      [["getTransactionByBlockIdAndIndex", "5", "6"], '[{"block_number":5},6]'],
      [["traceTransaction", "0x5"], '["0x5"]'],
      [["nothing", "5"], "[5]"],
      [
        ["getNonce", "--params", '{"block_id":5,"contract_address":"0x7"}'],
        '{"block_id":{"block_number":5},"contract_address":"0x7"}',
      ],
      [
        ["getNonce", "--params", '{"block_id":{"block_number":5}}'],
        '{"block_id":{"block_number":5}}',
      ],
      [["getBlockWithTxHashes", "-1"], "[-1]"],
      [["getBlockWithTxHashes", "1.5"], "[1.5]"],
      [["getBlockWithTxHashes", "18446744073709551615"], '[{"block_number":18446744073709551615}]'],
      [["getBlockWithTxHashes", "00"], '[{"block_number":0}]'],
    ];
    for (const [argv, params] of cases) {
      const { request } = await call(...argv);
      expect([argv, request.slice(request.indexOf('"params":') + 9, -1)]).toEqual([argv, params]);
    }
  });

  test("accepts an address without a scheme", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"result":7}';
    const url = server.url.host;
    expect(await callAt(url, "x")).toMatchObject({ code: 0, out: "7" });
    expect(await callAt(`${url}/rpc/v0_8`, "x")).toMatchObject({ code: 0 });
    for (const wrong of ["9944", "ftp://localhost", "localhost:x", "http://", "", ":9944", " a"]) {
      const { code, err } = await callAt(wrong, "x");
      expect([wrong, code]).toEqual([wrong, 2]);
      expect(err).toContain("host:port");
    }
  });

  test("prints results without losing digits", async () => {
    answer = '{"jsonrpc":"2.0","id":1,"result":{"n":18446744073709551615}}';
    expect((await call("x")).out).toBe('{\n  "n": 18446744073709551615\n}');
  });

  test("prints a JSON-RPC error and exits with 1", async () => {
    answer =
      '{"jsonrpc":"2.0","id":1,"error":{"code":41,"message":"Transaction execution error","data":{"transaction_index":0,"execution_error":"first\\nsecond \\u001b[31m"}}}';
    const { code, out, err } = await call("x");
    expect([code, out]).toEqual([1, ""]);
    expect(err.split("\n")).toEqual([
      "error 41: Transaction execution error",
      "  transaction_index: 0",
      "  execution_error:",
      "    first",
      "    second \\u{1b}[31m",
    ]);
  });

  test("exits with 1 on malformed responses", async () => {
    for (const text of ["", "<html>", "[]", "{}"]) {
      answer = text;
      const { code, err } = await call("x");
      expect(code).toBe(1);
      expect(err).toStartWith("error: ");
    }
  });

  test("exits with 2 on wrong parameters", async () => {
    for (const argv of [
      ["x", "--params", "5"],
      ["x", "--params", "{"],
      ["x", "1", "--params", "[]"],
      [],
    ]) {
      expect((await call(...argv)).code).toBe(2);
    }
  });

  test("exits with 1 and names an unreachable node", async () => {
    const { code, err } = await callAt("http://127.0.0.1:1", "x");
    expect(code).toBe(1);
    expect(err).toContain("cannot reach http://127.0.0.1:1");
  });
});
