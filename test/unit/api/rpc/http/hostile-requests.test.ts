import { expect, test } from "bun:test";
import fc from "fast-check";
import { type HttpRequest, rawReply, textReply } from "#api/rpc/http/message.ts";
import { httpConnection, statuses } from "#test/helpers/http-connection.ts";
import { REQUEST_VECTORS, type RequestVector } from "#test/helpers/http-vectors/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Request after the bytes of each vector. */
const NEXT = "GET /next HTTP/1.1\r\nhost: a\r\n\r\n";

/** Requests that a connection executes, and whether it closes. */
async function read(parts: readonly string[]) {
  const runs: string[] = [];
  const peer = httpConnection(async (request: HttpRequest) => {
    const body = await request.readBody(Infinity);
    // Like the routes: an incomplete body is not executed.
    if (body === undefined) return rawReply(413);
    runs.push(`${request.method} ${request.url} ${Buffer.from(body.bytes()).toString("latin1")}`);
    return textReply("", 200);
  });
  for (const part of parts) {
    peer.connection.receive(Buffer.from(part, "latin1"));
    await Bun.sleep(0);
  }
  const isEnded = peer.socket.calls.includes("shutdown");
  peer.connection.closed();
  return { runs, isEnded, refusals: statuses(peer.socket.text).filter((status) => status > "399") };
}

function expected({ runs, after }: RequestVector) {
  return { runs: after === "next" ? [...runs, "GET /next "] : [...runs], isEnded: after === "end" };
}

test.each(REQUEST_VECTORS.map((vector) => [vector.what, vector] as const))(
  "%s",
  async (_what, vector) => {
    const { refusals, ...rest } = await read([vector.bytes + NEXT]);
    expect(rest).toEqual(expected(vector));
    const isRefused = vector.after === "end" && vector.runs.length === 0;
    expect(refusals).toHaveLength(isRefused ? 1 : 0);
  },
);

test("hostile requests are handled alike wherever they are split, and after another request", async () => {
  const before = "POST /first HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\nx";
  await assertProperty(
    fc.asyncProperty(
      fc.constantFrom(...REQUEST_VECTORS),
      fc.array(fc.nat(300), { minLength: 1, maxLength: 4 }),
      async (vector, cuts) => {
        const bytes = before + vector.bytes + NEXT;
        const at = [
          0,
          ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b),
          bytes.length,
        ];
        const parts = at.slice(1).map((end, i) => bytes.slice(at[i], end));
        const { runs, isEnded } = await read(parts);
        const { runs: wanted, isEnded: isWantedEnd } = expected(vector);
        expect([runs, isEnded]).toEqual([["POST /first x", ...wanted], isWantedEnd]);
      },
    ),
    { numRuns: 400 },
  );
});
