import { expect, test } from "bun:test";
import { withHeadersOf } from "#api/rpc/http/pages.ts";
import { scriptedStream } from "#test/helpers/scripted-stream.ts";

test("a streamed response to a browser page keeps its stream and gets the CORS headers", () => {
  const stream = scriptedStream();
  const reply = { status: 200, headers: { "content-type": "text/plain" }, body: null, stream };
  const response = new Response(null, { headers: { "Access-Control-Allow-Origin": "*" } });
  expect(withHeadersOf(reply, response)).toEqual({
    ...reply,
    headers: { "content-type": "text/plain", "access-control-allow-origin": "*" },
  });
});
