import { expect, test } from "bun:test";
import { RawConnection, rawPost } from "#test/helpers/raw-http.ts";

/**
 * Reason for the custom HTTP connections of the JSON-RPC server. If this test fails, the runtime
 * has fixed pipelining and `Bun.serve` can be reconsidered.
 */
test("Bun.serve executes a pipelined request but closes the connection without a response", async () => {
  const executed: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      await Bun.sleep(30);
      executed.push(body);
      return new Response(body);
    },
  });
  try {
    const connection = await RawConnection.open(server.port ?? 0);
    connection.send(rawPost("first") + rawPost("second"));
    expect(await connection.ends()).toBe(true);
    await Bun.sleep(60);
    expect({ executed, received: connection.rest }).toEqual({ executed: ["first"], received: "" });
  } finally {
    await server.stop(true);
  }
});
