import { expect, test } from "bun:test";
import { httpConnection } from "#test/helpers/http-connection.ts";

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

test("long pieces of a body are written without copying", () => {
  const long = new Uint8Array(70_000).fill(65);
  const body = ["[", "€".repeat(3), ",", long, ",", long, "]"];
  const { socket, send } = httpConnection(() => ({ status: 200, headers: {}, body }));
  const written: (string | Uint8Array)[] = [];
  const { write } = socket;
  socket.write = (data) => {
    written.push(data);
    return write(data);
  };
  send(GET);
  expect(written.filter((piece) => piece === long)).toHaveLength(2);
  expect(written.length).toBeLessThanOrEqual(5);
  const [head = "", text = ""] = socket.text.split("\r\n\r\n");
  expect(head).toContain(`content-length: ${Buffer.byteLength(text)}`);
  const half = "A".repeat(70_000);
  expect(text).toBe(`[€€€,${half},${half}]`);
});

test("a body in pieces arrives complete at a client that reads slowly", () => {
  const body = ["[", new Uint8Array(70_000).fill(65), "€".repeat(100), "]"];
  const { socket, connection, send } = httpConnection(() => ({ status: 200, headers: {}, body }), {
    takes: 1_000,
  });
  send(GET);
  for (let i = 0; i < 100; i++) {
    socket.takes = 999;
    connection.drained();
  }
  const [, text] = socket.text.split("\r\n\r\n");
  expect(text).toBe(`[${"A".repeat(70_000)}${"€".repeat(100)}]`);
});
