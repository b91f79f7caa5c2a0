import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { addTransactionRoute } from "#api/gateway/write/add-transaction.ts";
import type { TransactionSubmitter } from "#api/rpc/index.ts";
import { createGatewayHandler } from "#api/gateway/app.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import { httpRequest, textOf } from "#test/helpers/http-handler.ts";

const INVOKE = {
  type: "INVOKE_FUNCTION",
  version: "0x1",
  max_fee: "0x64",
  signature: ["0x1"],
  nonce: "0x0",
  sender_address: "0xa",
  calldata: [],
};
const DEPLOYMENT = {
  type: "DEPLOY_ACCOUNT",
  version: "0x1",
  max_fee: "0x64",
  signature: ["1"],
  nonce: "0",
  class_hash: "0x7",
  contract_address_salt: "8",
  constructor_calldata: ["9"],
};
const DECLARATION = {
  type: "DECLARE",
  version: "0x2",
  max_fee: "0x64",
  signature: [],
  nonce: "0x0",
  sender_address: "0xa",
  compiled_class_hash: "0xb",
  contract_class: {
    sierra_program: gzipSync('["0x1"]').toString("base64"),
    contract_class_version: "0.1.0",
    entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    abi: "[]",
  },
};
const QUERY = { ...INVOKE, version: `0x1${"0".repeat(31)}1` };

type Body = string | Uint8Array<ArrayBuffer>;

/** Posts a body to a gateway that gives every submission the same answer. */
async function send(
  body: Body | object,
  answer: SubmitAnswer = { kind: "accepted", transactionHash: 5n },
  headers: Readonly<Record<string, string>> = {},
) {
  const submitted: unknown[] = [];
  const clients: unknown[] = [];
  const take = (sent: unknown, client: unknown): Promise<SubmitAnswer> => {
    submitted.push(sent);
    clients.push(client);
    return Promise.resolve(answer);
  };
  const submit: TransactionSubmitter = { submit: take, declare: take };
  const handler = createGatewayHandler({
    routes: [addTransactionRoute(submit)],
    hosts: "any",
    rateLimiter: null,
    readiness: () => ({ ready: true, blockNumber: 0, lagBlocks: 0, isInSync: true }),
    leads: () => true,
    observer: {
      answered: () => undefined,
      internalError: (_, error) => void submitted.push(error),
    },
  });
  const isText = typeof body === "string" || body instanceof Uint8Array;
  const request = httpRequest(
    "POST",
    "/gateway/add_transaction",
    { host: "h", ...headers },
    isText ? (body as Body) : JSON.stringify(body),
  );
  const reply = await handler(request);
  const text = textOf(reply);
  const json = (text.startsWith("{") ? JSON.parse(text) : text) as unknown;
  const { caller } = request;
  return { status: reply.status, headers: reply.headers, json, submitted, clients, caller };
}

const rejected = (code: Extract<SubmitAnswer, { kind: "rejected" }>["code"]): SubmitAnswer => ({
  kind: "rejected",
  code,
  reason: "because",
});

describe("accepted transaction", () => {
  test.each([
    ["an invoke", INVOKE],
    ["a declaration", DECLARATION],
  ])("%s is submitted with the caller of its request", async (_, body) => {
    const { clients, caller } = await send(body);
    expect(clients.map((client) => client === caller)).toEqual([true]);
  });

  test("returns the transaction hash", async () => {
    const { status, headers, json, submitted } = await send(INVOKE);
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(json).toEqual({ code: "TRANSACTION_RECEIVED", transaction_hash: "0x5" });
    expect(submitted).toMatchObject([{ type: "INVOKE", version: 1, senderAddress: 10n }]);
  });

  test("returns the address of a deployed account", async () => {
    const { json, submitted } = await send(DEPLOYMENT);
    const [{ contractAddress }] = submitted as [{ contractAddress: bigint }];
    expect(json).toEqual({
      code: "TRANSACTION_RECEIVED",
      transaction_hash: "0x5",
      address: `0x${contractAddress.toString(16)}`,
    });
  });

  test("returns the hash of a declared class", async () => {
    const answer = { kind: "accepted", transactionHash: 5n, classHash: 6n } as const;
    const { json, submitted } = await send(DECLARATION, answer);
    expect(json).toEqual({
      code: "TRANSACTION_RECEIVED",
      transaction_hash: "0x5",
      class_hash: "0x6",
    });
    expect(submitted).toMatchObject([
      {
        transaction: { type: "DECLARE", version: 2, compiledClassHash: 11n },
        contractClass: { kind: "packed-sierra" },
      },
    ]);
  });

  test.each(["gzip", "x-gzip", "GZIP"])("may be compressed (%s)", async (encoding) => {
    const packed = new Uint8Array(gzipSync(JSON.stringify(INVOKE)));
    const { status } = await send(packed, undefined, { "content-encoding": encoding });
    expect(status).toBe(200);
  });
});

test("releases the body bytes before the submission is decided", async () => {
  const events: string[] = [];
  const take = (): Promise<SubmitAnswer> => {
    events.push("submitted");
    return Promise.resolve({ kind: "accepted", transactionHash: 5n });
  };
  const request = httpRequest("POST", "/gateway/add_transaction", {}, JSON.stringify(INVOKE));
  Object.assign(request, { release: () => events.push("released") });
  const { answer } = addTransactionRoute({ submit: take, declare: take });
  await answer({ request, origin: null, answer: undefined });
  expect(events).toEqual(["released", "submitted"]);
});

describe("rejected transaction", () => {
  test.each([
    ["CLASS_ALREADY_DECLARED", "StarknetErrorCode.CLASS_ALREADY_DECLARED"],
    ["CLASS_HASH_NOT_FOUND", "StarknetErrorCode.UNDECLARED_CLASS"],
    ["COMPILATION_FAILED", "StarknetErrorCode.COMPILATION_FAILED"],
    ["COMPILED_CLASS_HASH_MISMATCH", "StarknetErrorCode.INVALID_COMPILED_CLASS_HASH"],
    ["CONTRACT_CLASS_SIZE_IS_TOO_LARGE", "StarknetErrorCode.CONTRACT_CLASS_OBJECT_SIZE_TOO_LARGE"],
    ["DUPLICATE_TX", "StarknetErrorCode.DUPLICATED_TRANSACTION"],
    ["FEE_BELOW_MINIMUM", "StarknetErrorCode.FEE_BELOW_MINIMUM"],
    ["INSUFFICIENT_ACCOUNT_BALANCE", "StarknetErrorCode.INSUFFICIENT_ACCOUNT_BALANCE"],
    ["INSUFFICIENT_RESOURCES_FOR_VALIDATE", "StarknetErrorCode.INSUFFICIENT_MAX_FEE"],
    ["INVALID_TRANSACTION_NONCE", "StarknetErrorCode.INVALID_TRANSACTION_NONCE"],
    ["NON_ACCOUNT", "StarknetErrorCode.NON_PERMITTED_CONTRACT"],
    [
      "REPLACEMENT_TRANSACTION_UNDERPRICED",
      "StarknetErrorCode.REPLACEMENT_TRANSACTION_UNDERPRICED",
    ],
    ["UNSUPPORTED_CONTRACT_CLASS_VERSION", "StarknetErrorCode.INVALID_CONTRACT_CLASS_VERSION"],
    ["UNSUPPORTED_TX_VERSION", "StarknetErrorCode.INVALID_TRANSACTION_VERSION"],
    ["VALIDATION_FAILURE", "StarknetErrorCode.VALIDATE_FAILURE"],
  ] as const)("%s maps to %s with the reason", async (name, code) => {
    const { status, json } = await send(INVOKE, rejected(name));
    expect([status, json]).toEqual([400, { code, message: "because" }]);
  });

  test("sends Retry-After when the node is busy", async () => {
    const { status, headers, json } = await send(INVOKE, {
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "busy",
      retryAfterSeconds: 3,
    });
    expect([status, headers["retry-after"]]).toEqual([429, "3"]);
    expect(json).toEqual({ code: "StarknetErrorCode.RATE_LIMITED", message: "busy" });
  });

  test("responds 502 without an error code when no submission was possible", async () => {
    const { status, json } = await send(INVOKE, { kind: "undecided", reason: "no connection" });
    expect([status, json]).toEqual([502, "no connection\n"]);
  });

  test.each([
    ["StarknetErrorCode.INVALID_TRANSACTION_VERSION", QUERY],
    ["StarknetErrorCode.INVALID_TRANSACTION_VERSION", { ...INVOKE, version: "0x0" }],
    ["StarknetErrorCode.INVALID_PROOF", { ...INVOKE, version: "0x3", ...v3(), proof: "AAAA" }],
    [
      "StarknetErrorCode.OUT_OF_RANGE_CONTRACT_ADDRESS",
      { ...INVOKE, sender_address: `0x${(1n << 251n).toString(16)}` },
    ],
    [
      "StarknetErrorCode.OUT_OF_RANGE_CONTRACT_ADDRESS",
      { ...DECLARATION, sender_address: (1n << 251n).toString() },
    ],
    ["StarkErrorCode.SCHEMA_VALIDATION_ERROR", { ...INVOKE, sender_address: "-1" }],
    ["StarkErrorCode.SCHEMA_VALIDATION_ERROR", { ...INVOKE, nonce: "x" }],
    ["StarkErrorCode.SCHEMA_VALIDATION_ERROR", { ...INVOKE, type: "CALL" }],
    ["StarkErrorCode.MALFORMED_REQUEST", []],
  ])("is rejected with %s before submission", async (code, body) => {
    const { status, json, submitted } = await send(body);
    expect([status, json, submitted]).toMatchObject([400, { code }, []]);
  });
});

function v3() {
  const bound = { max_amount: "0x1", max_price_per_unit: "0x1" };
  return {
    nonce_data_availability_mode: 0,
    fee_data_availability_mode: 0,
    resource_bounds: { L1_GAS: bound, L2_GAS: bound },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
  };
}

describe("request body", () => {
  const LIMIT = 15 << 20;
  const gzip = { "content-encoding": "gzip" };

  test.each<readonly [string, Body, Readonly<Record<string, string>>]>([
    ["empty", "", {}],
    ["incomplete JSON", "{", {}],
    ["JSON with trailing text", `${JSON.stringify(INVOKE)}x`, {}],
    ["too deeply nested", `${"[".repeat(200)}${"]".repeat(200)}`, {}],
    ["too many elements", `{"a":[${"0,".repeat(250_000)}0]}`, {}],
    ["too many parts", `[${"[],".repeat(300_000)}[]]`, {}],
    ["invalid UTF-8", Uint8Array.of(0x22, 0xff, 0x22), {}],
    ["not gzip", "{}", gzip],
    ["truncated gzip", new Uint8Array(gzipSync("x".repeat(999))).subarray(0, 20), gzip],
  ])("is malformed when %s", async (_, body, headers) => {
    const { status, json, submitted } = await send(body, undefined, headers);
    expect([status, json, submitted]).toMatchObject([
      400,
      { code: "StarkErrorCode.MALFORMED_REQUEST" },
      [],
    ]);
  });

  test("rejects an unknown encoding with the list of known ones", async () => {
    const { status, headers } = await send("{}", undefined, { "content-encoding": "br" });
    expect([status, headers["accept-encoding"]]).toEqual([415, "gzip, deflate, identity"]);
  });

  test("accepts 15 MiB and rejects one byte more", async () => {
    const text = JSON.stringify(INVOKE);
    expect((await send(text.padEnd(LIMIT))).status).toBe(200);
    const { status, json } = await send(text.padEnd(LIMIT + 1));
    expect([status, json]).toMatchObject([413, { code: "StarkErrorCode.MALFORMED_REQUEST" }]);
  });

  test("accepts 15 MiB of unpacked data and stops inflating beyond that", async () => {
    const text = JSON.stringify(INVOKE);
    const packed = (bytes: number): Body => new Uint8Array(gzipSync(text.padEnd(bytes)));
    expect((await send(packed(LIMIT), undefined, gzip)).status).toBe(200);
    const { status, json } = await send(packed(LIMIT + 1), undefined, gzip);
    expect([status, json]).toMatchObject([413, { code: "StarkErrorCode.MALFORMED_REQUEST" }]);
    const bomb = new Uint8Array(gzipSync(new Uint8Array(256 << 20)));
    const before = process.memoryUsage().rss;
    expect((await send(bomb, undefined, gzip)).status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 << 20);
  });
});
