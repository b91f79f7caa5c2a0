import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type AnsweringGateway,
  answeringGateway,
  fault,
  gatewayClient,
  json,
  rawGateway,
} from "#test/helpers/gateway-servers.ts";

let gateway: AnsweringGateway;
beforeEach(() => {
  gateway = answeringGateway();
});
afterEach(() => gateway.stop());

const TAKEN = { code: "TRANSACTION_RECEIVED", transaction_hash: "0x1" };

describe("GatewayClient.addTransaction", () => {
  test("posts the body unchanged and returns the gateway's response", async () => {
    const bodies: string[] = [];
    gateway.answer = async (request) => {
      bodies.push(`${request.method} ${await request.text()}`);
      return json({ ...TAKEN, class_hash: "0x2", address: "0x3" });
    };
    const { client } = gatewayClient([gateway.url]);
    expect(await client.addTransaction('{"a":1}', true)).toEqual({
      kind: "taken",
      transactionHash: 1n,
      classHash: 2n,
      contractAddress: 3n,
    });
    expect(bodies).toEqual(['POST {"a":1}']);
    expect(gateway.asked).toEqual(["/gateway/add_transaction"]);
  });

  test("reports a refusal without sending the transaction elsewhere", async () => {
    gateway.answer = () => fault("INVALID_TRANSACTION_NONCE", "it is 5");
    const other = answeringGateway(() => json(TAKEN));
    const { client } = gatewayClient([gateway.url, other.url]);
    expect(await client.addTransaction("{}", false)).toEqual({
      kind: "refused",
      code: "StarknetErrorCode.INVALID_TRANSACTION_NONCE",
      message: "it is 5",
    });
    expect(other.asked).toEqual([]);
    await other.stop();
  });

  test.each([
    [{ code: "StarknetErrorCode.RATE_LIMITED", message: "busy" }, "7", 7, "busy"],
    [{}, "7", 7, undefined],
    [{}, undefined, 5, undefined],
    [{}, "0", 1, undefined],
  ])(
    "reports when to retry a rate-limited transaction: %j, %p",
    async (body, header, retryAfterSeconds, message) => {
      const headers = header === undefined ? {} : { "retry-after": header };
      gateway.answer = () => json(body, 429, headers as Record<string, string>);
      const { client } = gatewayClient([gateway.url]);
      for (let i = 0; i < 2; i++) {
        expect(await client.addTransaction("{}", false)).toEqual({
          kind: "refused",
          code: "StarknetErrorCode.RATE_LIMITED",
          message: message ?? (expect.stringContaining("status 429") as string),
          retryAfterSeconds,
        });
      }
      // Rate limiting of one submission does not hold back another.
      expect(gateway.asked).toHaveLength(2);
    },
  );

  test("sends to another gateway when the first is unreachable", async () => {
    gateway.answer = () => json(TAKEN);
    const { client } = gatewayClient(["http://127.0.0.1:1", gateway.url]);
    expect(await client.addTransaction("{}", false)).toEqual({
      kind: "taken",
      transactionHash: 1n,
    });
  });

  test("sends to another gateway when the first may have received the transaction", async () => {
    const breaking = await rawGateway((socket) => socket.destroy());
    gateway.answer = () => json(TAKEN);
    const { client } = gatewayClient([breaking.url, gateway.url]);
    expect(await client.addTransaction("{}", false)).toHaveProperty("kind", "taken");
    gateway.answer = () => fault("DUPLICATED_TRANSACTION", "here already");
    const { client: again } = gatewayClient([breaking.url, gateway.url]);
    expect(await again.addTransaction("{}", false)).toEqual({
      kind: "refused",
      code: "StarknetErrorCode.DUPLICATED_TRANSACTION",
      message: "here already",
      wasSentBefore: true,
    });
    breaking.stop();
  });

  test("reports an unknown outcome when the last gateway is unreachable", async () => {
    const breaking = await rawGateway((socket) => socket.destroy());
    for (const other of ["http://127.0.0.1:1", gateway.url]) {
      gateway.answer = () => json({}, 429, { "retry-after": "1" });
      const { client } = gatewayClient([breaking.url, other]);
      const answer = await client.addTransaction("{}", false);
      expect(answer.kind === "unreachable" ? answer.message : "").toEndWith("is not known");
    }
    breaking.stop();
  });

  test("sends to another gateway when the first is silent", async () => {
    const silent = answeringGateway(() => new Promise<Response>(() => undefined));
    gateway.answer = () => fault("DUPLICATED_TRANSACTION", "here already");
    const { client } = gatewayClient([silent.url, gateway.url], {
      limits: { submitSilenceMs: 1_000 },
    });
    expect(await client.addTransaction("{}", false)).toHaveProperty("wasSentBefore", true);
    await silent.stop();
  });

  test("returns to a silent gateway when no other is left", async () => {
    const asked: number[] = [];
    gateway.answer = () =>
      asked.push(0) === 1 ? new Promise<Response>(() => undefined) : json(TAKEN);
    const { client } = gatewayClient([gateway.url, "http://127.0.0.1:1"], {
      limits: { submitSilenceMs: 200 },
    });
    expect(await client.addTransaction("{}", false)).toHaveProperty("kind", "taken");
    expect(asked).toHaveLength(2);
  });

  test("sends a declaration nowhere else when the first gateway may have received it", async () => {
    const breaking = await rawGateway((socket) => socket.destroy());
    gateway.answer = () => json(TAKEN);
    const { client } = gatewayClient([breaking.url, gateway.url]);
    const answer = await client.addTransaction("{}", true);
    expect(answer.kind === "unreachable" ? answer.message : "").toEndWith("is not known");
    expect(gateway.asked).toEqual([]);
    breaking.stop();
  });

  test("reports the earliest retry time when one gateway is rate-limited and the others are unreachable", async () => {
    const other = answeringGateway(() => json({}, 429, { "retry-after": "9" }));
    gateway.answer = () => json({}, 429, { "retry-after": "3" });
    const { client } = gatewayClient(["http://127.0.0.1:1", gateway.url, other.url]);
    // The second time the unreachable gateway is tried after the others.
    for (let i = 0; i < 2; i++) {
      expect(await client.addTransaction("{}", false)).toHaveProperty("retryAfterSeconds", 3);
    }
    await other.stop();
  });

  test("reports that nothing was sent when no gateway is reachable", async () => {
    const { client } = gatewayClient(["http://127.0.0.1:1"]);
    const answer = await client.addTransaction("{}", false);
    expect(answer).toHaveProperty("isUnsent", true);
    expect(answer.kind === "unreachable" ? answer.message : "").toEndWith("was not sent");
  });
});

describe("GatewayClient.transactionStatus", () => {
  const RECEIVED = { tx_status: "RECEIVED", finality_status: "RECEIVED" };

  test.each([
    ["returns an invalid response", () => new Response("")],
    ["refuses the request", () => fault("NOT_PERMITTED_CONTRACT")],
    ["has an internal error", () => fault("INTERNAL", "no", 500)],
    ["is rate-limiting", () => json({}, 429)],
    ["redirects", () => new Response("", { status: 302, headers: { location: "/" } })],
  ])("tries the next gateway when one %s", async (_, answer) => {
    gateway.answer = answer;
    const other = answeringGateway(() => json(RECEIVED));
    const { client } = gatewayClient([gateway.url, other.url]);
    expect(await client.transactionStatus(1n)).toMatchObject({
      kind: "status",
      status: { status: "RECEIVED" },
    });
    await other.stop();
    expect(await client.transactionStatus(1n)).toHaveProperty("kind", "unreachable");
  });
});

test("addTransaction tries a gateway with invalid responses after the others", async () => {
  gateway.answer = () => new Response("<html>");
  const other = answeringGateway(() => json(TAKEN));
  const { client } = gatewayClient([gateway.url, other.url]);
  for (let i = 0; i < 3; i++) {
    expect(await client.addTransaction("{}", false)).toHaveProperty("kind", "taken");
  }
  expect([gateway.asked.length, other.asked.length]).toEqual([1, 3]);
  await other.stop();
});
