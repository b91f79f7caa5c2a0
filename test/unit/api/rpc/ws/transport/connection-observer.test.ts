import { expect, test } from "bun:test";
import { clientFrame } from "#test/helpers/ws-frames.ts";
import { OPEN_GATE, wsConnection } from "#test/helpers/ws-connection.ts";

/** The payload of a close frame is its code in network byte order. */
const closeFrame = (code: number): Uint8Array =>
  clientFrame(Buffer.from([code >> 8, code & 0xff]), { opcode: 8 });

test("a connection is observed as closed with the client's code", () => {
  const { connection, observed, send } = wsConnection();
  send(closeFrame(4_000));
  connection.closed();
  connection.closed();
  expect(observed).toEqual(["opened", "closed 4000"]);
});

test("a connection without a close frame is observed as closed with 1006", () => {
  const { connection, observed } = wsConnection();
  connection.closed();
  expect(observed).toEqual(["opened", "closed 1006"]);
});

test("a client dropped for a full buffer is observed with the node's code", () => {
  const { connection, observed } = wsConnection({ takes: 0 });
  for (let i = 0; i < 3; i++) connection.notify(OPEN_GATE, new Uint8Array(300_000));
  connection.closed();
  expect(observed).toEqual(["opened", "dropped", "closed 1008"]);
});

test("a client dropped for reading nothing is observed as dropped", async () => {
  const { connection, observed, later } = wsConnection({ takes: 0 });
  connection.notify(OPEN_GATE, new Uint8Array(10));
  await Bun.sleep(0);
  later(1_000);
  later(60_000);
  connection.closed();
  expect(observed).toEqual(["opened", "dropped", "closed 1006"]);
});
