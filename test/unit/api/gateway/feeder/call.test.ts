import { describe, expect, test } from "bun:test";
import type { CallOutcome, ContractCall } from "#engine/execution/index.ts";
import { createGatewayHandler } from "#api/gateway/app.ts";
import { feederOf, handlerDeps } from "#test/helpers/feeder.ts";
import { httpRequest, textOf } from "#test/helpers/http-handler.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const BODY = { contract_address: "0xc0", entry_point_selector: "0x7", calldata: ["10", "0xb"] };

/** Feeder whose calls have this outcome, and a record of those calls. */
function calling(outcome: CallOutcome) {
  const calls: { readonly nonce: bigint; readonly number: number; readonly call: ContractCall }[] =
    [];
  const context = sampleContext({
    execution: {
      call(state, info, call) {
        calls.push({ nonce: state.nonceAt(0xc0n), number: info.number, call });
        return outcome;
      },
      estimateFee: () => {
        throw new RangeError("nothing is estimated here");
      },
    },
  });
  const { deps } = feederOf({ context });
  const handler = createGatewayHandler(handlerDeps(deps));
  const post = async (query: string, body: string, headers: Record<string, string> = {}) => {
    const url = `/feeder_gateway/call_contract${query}`;
    const reply = await handler(httpRequest("POST", url, { host: "h", ...headers }, body));
    return { status: reply.status, text: textOf(reply) };
  };
  return { calls, post };
}

const OK: CallOutcome = { kind: "ok", retdata: [1n, 0xffn] };

describe("call_contract", () => {
  test("returns the function's result and accepts calldata in decimal or hex", async () => {
    const { calls, post } = calling(OK);
    const { status, text } = await post("", JSON.stringify({ ...BODY, signature: [] }));
    expect([status, text]).toEqual([200, '{"result":["0x1","0xff"]}']);
    expect(calls[0]?.call).toEqual({
      contractAddress: 0xc0n,
      entryPointSelector: 7n,
      calldata: [10n, 11n],
    });
  });

  test("forwards the bytes of the query thread without copying them", async () => {
    const made = new TextEncoder().encode('{"result":{"result":["0x1"]}}');
    const { deps } = feederOf({ queryPool: { run: () => Promise.resolve(made) } });
    const handler = createGatewayHandler(handlerDeps(deps));
    const ask = (headers: Record<string, string>) => {
      const url = "/feeder_gateway/call_contract";
      return handler(httpRequest("POST", url, { host: "h", ...headers }, JSON.stringify(BODY)));
    };
    const reply = await ask({});
    expect(textOf(reply)).toBe('{"result":["0x1"]}');
    expect(reply.body instanceof Uint8Array && reply.body.buffer === made.buffer).toBe(true);
    const known = await ask({ "if-none-match": reply.headers["etag"] ?? "" });
    expect([known.status, known.body]).toEqual([304, null]);
  });

  test("runs on the state of the selected block, pending included", async () => {
    const { calls, post } = calling(OK);
    for (const query of ["", "?blockNumber=0", "?blockHash=0xb10c0", "?blockNumber=pending"]) {
      await post(query, JSON.stringify(BODY));
    }
    expect(calls.map(({ number, nonce }) => [number, nonce])).toEqual([
      [1, 2n],
      [0, 1n],
      [0, 1n],
      [2, 3n],
    ]);
  });

  test.each([
    [{ kind: "contract_not_found" }, "StarknetErrorCode.UNINITIALIZED_CONTRACT"],
    [{ kind: "entry_point_not_found" }, "StarknetErrorCode.ENTRY_POINT_NOT_FOUND_IN_CONTRACT"],
  ] as const)("%p", async (outcome, code) => {
    const { status, text } = await calling(outcome).post("", JSON.stringify(BODY));
    expect([status, JSON.parse(text)]).toMatchObject([400, { code }]);
  });

  test("reports why a call was stopped", async () => {
    const { status, text } = await calling({ kind: "cancelled" }).post("", JSON.stringify(BODY));
    expect([status, text]).toEqual([500, "the execution took too long and was stopped\n"]);
  });

  test.each([
    ["", "{", 400, "StarkErrorCode.MALFORMED_REQUEST"],
    ["", "[]", 400, "StarkErrorCode.MALFORMED_REQUEST"],
    ["", "{}", 400, "StarkErrorCode.SCHEMA_VALIDATION_ERROR"],
    ["", JSON.stringify({ ...BODY, calldata: [1] }), 400, "StarkErrorCode.SCHEMA_VALIDATION_ERROR"],
    [
      "",
      JSON.stringify({ ...BODY, calldata: ["-1"] }),
      400,
      "StarkErrorCode.SCHEMA_VALIDATION_ERROR",
    ],
    [
      "",
      JSON.stringify({ ...BODY, calldata: ["9".repeat(76)] }),
      400,
      "StarkErrorCode.SCHEMA_VALIDATION_ERROR",
    ],
    [
      "",
      JSON.stringify({ ...BODY, contract_address: `0x${"1".repeat(65)}` }),
      400,
      "StarkErrorCode.SCHEMA_VALIDATION_ERROR",
    ],
    ["?blockNumber=9", JSON.stringify(BODY), 400, "StarknetErrorCode.BLOCK_NOT_FOUND"],
    ["", " ".repeat((1 << 20) + 1), 413, "StarkErrorCode.MALFORMED_REQUEST"],
  ])("rejects query %s with body %p", async (query, body, status, code) => {
    const { calls, post } = calling(OK);
    const answer = await post(query, body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }]);
    expect(calls).toEqual([]);
  });
});
