import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { drip, gatewayClient, type RawGateway, rawGateway } from "#test/helpers/gateway-servers.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";

/** Limits, with short timeouts where a test waits for them to pass. */
const LIMITS = {
  silenceMs: 20_000,
  answerMs: 20_000,
  maxAnswerBytes: 1 << 20,
  maxHeldBytes: 4 << 20,
  submitMs: 150,
  lookupMs: 100,
};

let gateway: RawGateway;
afterEach(() => gateway.stop());

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Writes `chunk` repeatedly, as fast as the socket drains. */
function pour(socket: Socket, chunk: Uint8Array): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

const CHUNK = new Uint8Array(1 << 16).fill(97);
const CODED_CHUNK = Buffer.concat([Buffer.from("10000\r\n"), CHUNK, Buffer.from("\r\n")]);
const ZIPPED_GIB = Buffer.concat(Array<Uint8Array>(256).fill(gzipSync(new Uint8Array(4 << 20))));

type Misbehaviour = (socket: Socket) => void;

/** Invalid responses with the expected message. */
const BAD: readonly (readonly [string, Misbehaviour, RegExp])[] = [
  [
    "a body of 1 GiB",
    (socket) => {
      socket.write(`${HEAD}content-length: 1073741824\r\n\r\n`);
      pour(socket, CHUNK);
    },
    /longer than 1048576 bytes/,
  ],
  [
    "an endless body",
    (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, CODED_CHUNK);
    },
    /longer than 1048576 bytes/,
  ],
  [
    "a zipped gigabyte",
    (socket) => {
      const { length } = ZIPPED_GIB;
      socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${length}\r\n\r\n`);
      socket.end(ZIPPED_GIB);
    },
    /longer than 1048576 bytes/,
  ],
  [
    "a redirect",
    (socket) =>
      socket.end(
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
      ),
    /redirects \(status 302\)/,
  ],
  [
    "an unrequested encoding",
    (socket) => socket.end(`${HEAD}content-encoding: br\r\ncontent-length: 2\r\n\r\n{}`),
    /not in a requested encoding/,
  ],
  [
    "text declared as gzip",
    (socket) => socket.end(`${HEAD}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`),
    /not in a requested encoding/,
  ],
];

describe("GatewayClient rejects an invalid response and closes the connection:", () => {
  test.each(BAD)("%s", async (_, misbehaviour, said) => {
    gateway = await rawGateway(misbehaviour);
    const { client, reports } = gatewayClient([gateway.url], { limits: LIMITS });
    const asked = client.wholeBlock(1);
    expect(asked).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
    expect(asked).rejects.toThrow(said);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ outcome: "failed" });
    // The gateway may have received the transaction nevertheless.
    const handed = await client.addTransaction("{}", false);
    expect(handed.kind).toBe("unreachable");
    expect(await client.transactionStatus(1n)).toMatchObject({ kind: "unreachable" });
    while (gateway.open.size > 0) await Bun.sleep(5);
  });

  const respond = (text: string): Misbehaviour => {
    const body = Buffer.from(text);
    return (socket) => {
      socket.write(`${HEAD}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.end(body);
    };
  };

  test.each([
    "",
    "null",
    "[]",
    "7",
    '"0x1"',
    "{",
    "<html>",
    '{"block_hash":1,"block_number":1}',
    '{"block_hash":"0x1","block_number":"1"}',
    '{"block_hash":"0x1","block_number":-1}',
    '{"block_hash":"0x1","block_number":1e400}',
    '{"block_hash":"0x1"}',
    `{"block_hash":"0x${"f".repeat(64)}","block_number":1}`,
    `${"[".repeat(100_000)}`,
    `[${"0,".repeat(400_000)}0]`,
  ])("JSON of a wrong type %.40p", async (text) => {
    gateway = await rawGateway(respond(text));
    const { client } = gatewayClient([gateway.url], { limits: LIMITS });
    for (const asked of [
      () => client.head(),
      () => client.reference(1),
      () => client.preConfirmed(1, undefined),
      () => client.contractAddresses(),
    ]) {
      expect(asked()).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
    }
    expect(await client.addTransaction("{}", false)).toMatchObject({ kind: "unreachable" });
    expect(await client.transactionStatus(1n)).toMatchObject({ kind: "unreachable" });
  });

  test("bytes that are not UTF-8", async () => {
    gateway = await rawGateway((socket) => {
      socket.end(
        Buffer.concat([
          Buffer.from(`${HEAD}content-length: 3\r\n\r\n`),
          Buffer.from([0x22, 0xff, 0x22]),
        ]),
      );
    });
    const { client } = gatewayClient([gateway.url], { limits: LIMITS });
    expect(client.publicKey()).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
  });
});

/** Transient failures. */
const PASSING: readonly (readonly [string, Misbehaviour])[] = [
  ["silence", () => undefined],
  ["a head without a body", (socket) => socket.write(`${HEAD}content-length: 2\r\n\r\n`)],
  ["a body that drips", drip],
  ["half a body", (socket) => socket.end(`${HEAD}content-length: 9\r\n\r\n{`)],
  ["no answer", (socket) => socket.destroy()],
  ["something that is not HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n")],
  [
    "a head without an end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      pour(socket, Buffer.from(`x-a: ${"b".repeat(8000)}\r\n`));
    },
  ],
  ["an error of a proxy", (socket) => socket.end("HTTP/1.1 502 Bad\r\ncontent-length: 1\r\n\r\nx")],
  [
    "an error of a proxy in JSON",
    (socket) => {
      const body = '{"code":"down","message":"later"}';
      socket.end(`HTTP/1.1 503 Busy\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    },
  ],
];

describe("GatewayClient retries until a gateway responds, after", () => {
  test.each(PASSING)("%s", async (_, misbehaviour) => {
    let requests = 0;
    gateway = await rawGateway((socket) => {
      if (requests++ < 2) return misbehaviour(socket);
      return socket.end(`${HEAD}content-length: 2\r\n\r\n{}`);
    });
    const { client, reports } = gatewayClient([gateway.url], {
      limits: { silenceMs: 200, answerMs: 400 },
    });
    expect(new TextDecoder().decode(await client.wholeBlock(1))).toBe("{}");
    const outcomes = reports.map(({ outcome }) => outcome);
    expect([outcomes[0], outcomes[1], outcomes.at(-1)]).toEqual(["failed", "failed", "answered"]);
  });

  test.each(PASSING)("%s, but reports a transaction as unreachable", async (_, misbehaviour) => {
    gateway = await rawGateway(misbehaviour);
    const { client } = gatewayClient([gateway.url], { limits: LIMITS });
    const handed = await client.addTransaction("{}", false);
    expect(handed.kind).toBe("unreachable");
  });
});

describe("GatewayClient.stop", () => {
  const HANGING: readonly (readonly [string, Misbehaviour])[] = [
    ["requests to a silent gateway", () => undefined],
    ["an incomplete body", (socket) => socket.write(`${HEAD}content-length: 2\r\n\r\n{`)],
    ["retry delays of a failed gateway", (socket) => socket.destroy()],
    [
      "retry delays of a rate-limiting gateway",
      (socket) => socket.end("HTTP/1.1 429 No\r\nretry-after: 50\r\ncontent-length: 0\r\n\r\n"),
    ],
  ];

  test.each(HANGING)("cancels %s immediately", async (_, misbehaviour) => {
    gateway = await rawGateway(misbehaviour);
    const { client, stop } = gatewayClient([gateway.url], { limits: { maxInFlight: 2 } });
    const questions = [1, 2, 3, 4].map((i) => client.wholeBlock(i).catch((error) => error.code));
    const status = client.transactionStatus(1n);
    const handed = client.addTransaction("{}", false);
    await Bun.sleep(60);
    const longestMs = stallBoundMs(5_000);
    const beganMs = performance.now();
    stop.abort();
    expect(await Promise.all(questions)).toEqual(questions.map(() => "NODE_STOPPED"));
    expect((await status).kind).toBe("unreachable");
    expect(["unreachable", "refused"]).toContain((await handed).kind);
    // Far below every timeout.
    expect(performance.now() - beganMs).toBeLessThan(longestMs);
    expect(client.head()).rejects.toMatchObject({ code: "NODE_STOPPED" });
    while (gateway.open.size > 0) await Bun.sleep(5);
  });
});

test("responses in flight share one memory limit", async () => {
  let requests = 0;
  gateway = await rawGateway((socket) => {
    requests++;
    // Just below the limit of one response, and never complete.
    socket.write(`${HEAD}content-length: ${1 << 20}\r\n\r\n`);
    socket.write(new Uint8Array((1 << 20) - 1));
  });
  const { client, reports, stop } = gatewayClient([gateway.url], {
    limits: { ...LIMITS, silenceMs: 60_000, answerMs: 60_000 },
  });
  const questions = Array.from({ length: 32 }, (_, i) => client.wholeBlock(i).catch(String));
  while (reports.length < 8) await Bun.sleep(5);
  // Four responses fit; the others are aborted and retried with fewer in flight.
  expect(
    reports.every(({ failure }) => failure?.includes("exceed the memory limit together")),
  ).toBe(true);
  while (requests < 32 || gateway.open.size > 16) await Bun.sleep(5);
  stop.abort();
  await Promise.all(questions);
});

test("sequential responses release their memory", async () => {
  gateway = await rawGateway((socket) => {
    socket.end(`${HEAD}connection: close\r\ncontent-length: 60\r\n\r\n${" ".repeat(60)}`);
  });
  const { client, reports } = gatewayClient([gateway.url], { limits: { maxHeldBytes: 100 } });
  for (let i = 0; i < 5; i++) expect(await client.wholeBlock(i)).toHaveLength(60);
  expect(reports).toHaveLength(5);
});
