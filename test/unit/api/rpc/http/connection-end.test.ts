import { describe, expect, test } from "bun:test";
import { emptyReply, type HttpReply, textReply } from "#api/rpc/http/message.ts";
import { httpConnection, statuses } from "#test/helpers/http-connection.ts";

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** Response that the test completes. */
function held() {
  const { promise, resolve } = Promise.withResolvers<HttpReply>();
  return { handler: () => promise, end: () => resolve(textReply("late", 200)) };
}

describe("closing connection", () => {
  test("drains its input up to a limit, then terminates", () => {
    const { socket, connection, send } = httpConnection(() => emptyReply(404));
    send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 999999999\r\n\r\n");
    const chunk = Buffer.alloc(1 << 20);
    for (let i = 0; i < 32; i++) connection.receive(chunk);
    expect([statuses(socket.text), socket.calls]).toEqual([["404"], ["shutdown"]]);
    connection.receive(chunk);
    expect(socket.calls).toEqual(["shutdown", "terminate"]);
  });

  test("terminates soon after its client goes silent, and after a maximum time in any case", () => {
    const silent = httpConnection(() => emptyReply(404));
    const busy = httpConnection(() => emptyReply(404));
    for (const { send } of [silent, busy])
      send(GET.replace("host: a", "host: a\r\nconnection: close"));
    silent.later(1_100);
    expect(silent.socket.calls).toEqual(["shutdown", "terminate"]);
    for (let i = 0; i < 10; i++) busy.send("x");
    busy.later(900);
    expect(busy.socket.calls).toEqual(["shutdown"]);
    busy.later(10_100);
    expect(busy.socket.calls).toEqual(["shutdown", "terminate"]);
  });

  test("stops reading above a limit while it waits for a pending response", async () => {
    const { handler, end } = held();
    const { socket, connection, send } = httpConnection(handler);
    send(`${GET}no HTTP\r\n\r\n`);
    const chunk = Buffer.alloc(1 << 20);
    for (let i = 0; i < 33; i++) connection.receive(chunk);
    expect(socket.calls).toEqual(["pause"]);
    end();
    await Bun.sleep(0);
    expect([statuses(socket.text), socket.calls]).toEqual([
      ["200", "400"],
      ["pause", "resume", "shutdown"],
    ]);
  });
});

test("a request without a response in time gets 504, and the late response is dropped", async () => {
  const { handler, end } = held();
  const { socket, send, later } = httpConnection(handler);
  send(GET + GET);
  later(99_000);
  expect(socket.text).toBe("");
  later(100_100);
  expect([statuses(socket.text), socket.calls]).toEqual([["504"], ["shutdown"]]);
  end();
  await Bun.sleep(0);
  expect(statuses(socket.text)).toEqual(["504"]);
});

test("many pipelined heads pause the socket", async () => {
  const { handler, end } = held();
  let handled = 0;
  const { socket, send } = httpConnection(() => {
    handled++;
    return handler();
  });
  const fields = Array.from({ length: 200 }, (_, i) => `a${i}: b\r\n`).join("");
  const head = `GET / HTTP/1.1\r\nhost: a\r\n${fields}\r\n`;
  send(head.repeat(200));
  expect([handled, socket.calls]).toEqual([1, ["pause"]]);
  end();
  for (let i = 0; i < 100; i++) await Bun.sleep(0);
  expect([handled, socket.calls.at(-1)]).toEqual([200, "resume"]);
  expect(statuses(socket.text)).toHaveLength(200);
});
