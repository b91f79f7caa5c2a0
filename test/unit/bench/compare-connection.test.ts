import { expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { Connection, requestBytes } from "#test/bench/compare/connection.ts";
import { freePort } from "#test/helpers/binary.ts";

const answer = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/**
 * Sends one request per response to a server that writes each in the given parts; returns the
 * bodies.
 */
async function bodiesOf(answers: readonly (readonly string[])[]): Promise<readonly string[]> {
  let asked = 0;
  const reply = async (socket: Socket): Promise<void> => {
    for (const part of answers[asked++] ?? []) {
      socket.write(part);
      await Bun.sleep(5);
    }
  };
  const server = createServer((socket) => socket.setNoDelay().on("data", () => void reply(socket)));
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const bodies: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = requestBytes("{}");
  const connection = await Connection.open(
    port,
    (body) => {
      bodies.push(body.toString());
      if (bodies.length === answers.length) resolve();
      else connection.send(request);
    },
    resolve,
  );
  connection.send(request);
  await promise;
  connection.close();
  server.close();
  return bodies;
}

test("Connection reads responses of equal and different lengths and in parts completely", async () => {
  const bodies = ['{"result":1}', '{"result":2}', '{"result":10}', '{"result":3}', '{"result":4}'];
  const split = (text: string, at: number): string[] => [text.slice(0, at), text.slice(at)];
  const written = [
    [answer(bodies[0] ?? "")],
    [answer(bodies[1] ?? "")],
    split(answer(bodies[2] ?? ""), 20),
    split(answer(bodies[3] ?? ""), answer(bodies[3] ?? "").length - 3),
    [answer(bodies[4] ?? "")],
  ];
  expect(await bodiesOf(written)).toEqual(bodies);
});

test("Connection reads a longer response whose first part is as long as the previous response", async () => {
  const longer = answer('{"result":100}');
  const first = answer('{"result":1}');
  const parts = [longer.slice(0, first.length), longer.slice(first.length)];
  expect(await bodiesOf([[first], parts])).toEqual(['{"result":1}', '{"result":100}']);
});
