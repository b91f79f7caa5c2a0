import { afterAll, describe, expect, test } from "bun:test";
import { EARLY_REQUESTS, type Framing, requestWithBody } from "#test/helpers/early-answers.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { openSampleListener, serveSample } from "#test/helpers/sample-server.ts";

const MAX_BODY_BYTES = 3 << 20;

const listener = await openSampleListener();
const server = await serveSample({ listener, limits: { maxBodyBytes: MAX_BODY_BYTES } });
afterAll(() => server.stop(0));

const NEXT = rawPost(rpcBody(7, "blockNumber"));

/** Waits until no connection is open. @returns the connections left at the timeout */
async function emptied(): Promise<number> {
  for (let tries = 0; tries < 500 && listener.connections > 0; tries++) await Bun.sleep(20);
  return listener.connections;
}

/** Outcome of a request and a pipelined one. */
async function exchange(bytes: string) {
  const connection = await RawConnection.open(listener.port);
  connection.send(bytes + NEXT);
  const answers = (await connection.responses(2)).filter(({ status }) => status !== 100);
  const [first] = answers;
  const isClosing = first?.headers["connection"] === "close";
  const ends = isClosing && (await connection.ends());
  connection.close();
  return { first, second: answers[1], isClosing, ends };
}

const SIZES = [1_000, 60_000, 300_000, 2_000_000];

for (const framing of ["length", "chunks", "expects"] satisfies Framing[]) {
  describe(`early response to a request with its body by ${framing}`, () => {
    for (const { what, status, head, isLast = false } of EARLY_REQUESTS) {
      if (framing === "expects" && head.includes("expect:")) continue;
      test(`because of ${what} is followed by the next response or the end of the connection`, async () => {
        for (const size of SIZES) {
          const { first, second, isClosing, ends } = await exchange(
            requestWithBody(head, size, framing),
          );
          expect([size, first?.status]).toEqual([size, status]);
          if (isClosing) expect([second, ends]).toEqual([undefined, true]);
          else expect(JSON.parse(second?.body ?? "null")).toMatchObject({ id: 7, result: 1 });
          if (isLast) expect(isClosing).toBe(true);
          // Short announced bodies must not cost the connection.
          else if (framing === "length" && size <= 60_000) expect(isClosing).toBe(false);
        }
      });
    }
  });
}

describe("overlong body", () => {
  test.each([["length"], ["chunks"]] as const)(
    "by %s gets 413, and the connection ends",
    async (framing) => {
      const head = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n";
      const { first, second, ends } = await exchange(
        requestWithBody(head, MAX_BODY_BYTES + 1, framing),
      );
      expect([first?.status, second, ends]).toEqual([413, undefined, true]);
    },
  );
});

test("a client that gets 100-continue also gets the next response", async () => {
  const connection = await RawConnection.open(listener.port);
  const body = rpcBody(1, "blockNumber");
  connection.send(
    `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  expect((await connection.responses(1))[0]?.status).toBe(100);
  const answers = await connection.send(body + NEXT).responses(2);
  connection.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test("a client that expects 100-continue but gets a final response is disconnected", async () => {
  const head = "POST /nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: 100-continue\r\n";
  const connection = await RawConnection.open(listener.port);
  connection.send(`${head}content-length: 1000\r\n\r\n`);
  const [answer] = await connection.responses(1);
  expect([answer?.status, answer?.headers["connection"]]).toEqual([404, "close"]);
  expect(await connection.ends()).toBe(true);
});

test("silent connections after early responses are closed soon", async () => {
  const connections = await Promise.all(
    Array.from({ length: 200 }, () => RawConnection.open(listener.port)),
  );
  for (const [i, connection] of connections.entries()) {
    const { head = "" } = EARLY_REQUESTS[i % EARLY_REQUESTS.length] ?? {};
    const bytes = requestWithBody(head, 300_000, i % 2 === 0 ? "length" : "chunks");
    // Half of the clients never send the complete request.
    connection.send(i % 4 < 2 ? bytes : bytes.slice(0, -200_000));
    if (i % 3 === 0) connection.close();
  }
  expect(await emptied()).toBe(0);
  for (const connection of connections) connection.close();
});
