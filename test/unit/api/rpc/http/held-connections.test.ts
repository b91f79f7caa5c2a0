import { expect, test } from "bun:test";
import { type HttpReply, textReply } from "#api/rpc/http/message.ts";
import { heldBytesWorld } from "#test/helpers/held-bytes.ts";
import { httpConnection, httpService } from "#test/helpers/http-connection.ts";

const MAX = 1_000_000;
const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** Connection whose first request is completed by the test. */
function world(takes = Infinity) {
  const { held } = heldBytesWorld(MAX);
  const open: ((reply: HttpReply) => void)[] = [];
  const service = httpService(() => new Promise((resolve) => open.push(resolve)), { held });
  return { held, open, ...httpConnection(() => textReply("", 200), { service, takes }) };
}

test("pipelined requests count until their response or the end of the connection", async () => {
  const { held, open, send, connection } = world();
  send(GET);
  expect(held.bytes).toBe(0);
  send(GET + GET);
  const two = held.bytes;
  expect(two).toBeGreaterThan(2 * GET.length);
  open[0]?.(textReply("", 200));
  await Bun.sleep(0);
  expect(held.bytes).toBe(two / 2);
  connection.closed();
  expect(held.bytes).toBe(0);
});

test("pipelined requests pause the socket while there is no room", async () => {
  const { held, open, send, socket } = world();
  held.change({ address: "" }, 2 * MAX);
  send(GET);
  expect(socket.calls).toEqual([]);
  send(GET);
  expect(socket.calls).toEqual(["pause"]);
  open[0]?.(textReply("", 200));
  await Bun.sleep(0);
  expect(socket.calls).toEqual(["pause", "resume"]);
});

test("unsent response bytes count until the client accepts them", async () => {
  const { held, open, send, socket, connection } = world(0);
  send(GET);
  open[0]?.(textReply("x".repeat(10_000), 200));
  await Bun.sleep(0);
  expect(held.bytes).toBeGreaterThan(10_000);
  socket.takes = Infinity;
  connection.drained();
  expect(held.bytes).toBe(0);
});
