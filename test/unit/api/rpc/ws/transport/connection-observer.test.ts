import { expect, test } from "bun:test";
import { clientFrame } from "#test/helpers/ws-frames.ts";
import { OPEN_GATE, wsConnection } from "#test/helpers/ws-connection.ts";

/** A close frame's payload is its code in network order. */
const closeFrame = (code: number): Uint8Array =>
  clientFrame(Buffer.from([code >> 8, code & 0xff]), { opcode: 8 });

test("a connection is counted with the code that the client gave", () => {
  const { connection, observed, send } = wsConnection();
  send(closeFrame(4_000));
  connection.closed();
  connection.closed();
  expect(observed).toEqual(["opened", "closed 4000"]);
});

test("a connection that ends without a word is counted as such", () => {
  const { connection, observed } = wsConnection();
  connection.closed();
  expect(observed).toEqual(["opened", "closed 1006"]);
});

test("a client that is dropped for its slowness is counted with the node's code", () => {
  const { connection, observed } = wsConnection({ takes: 0 });
  for (let i = 0; i < 3; i++) connection.notify(OPEN_GATE, new Uint8Array(300_000));
  connection.closed();
  expect(observed).toEqual(["opened", "dropped", "closed 1008"]);
});

test("so is one that takes nothing for too long", async () => {
  const { connection, observed, later } = wsConnection({ takes: 0 });
  connection.notify(OPEN_GATE, new Uint8Array(10));
  await Bun.sleep(0);
  later(1_000);
  later(60_000);
  connection.closed();
  expect(observed).toEqual(["opened", "dropped", "closed 1006"]);
});
