import { expect, test } from "bun:test";
import { hasFaultyFraming } from "#api/rpc/http/framing.ts";

test.each([
  [{}, false, false],
  [{ "content-length": "3" }, true, false],
  [{ "transfer-encoding": "chunked" }, false, false],
  [{ "transfer-encoding": "gzip, Chunked " }, false, false],
  [{ "transfer-encoding": "chunked" }, true, true],
  [{ "transfer-encoding": "" }, false, true],
  [{ "transfer-encoding": "chunked, " }, false, true],
  [{ "transfer-encoding": "chunked, gzip" }, false, true],
  [{ "transfer-encoding": "chunked", "content-length": "3" }, false, true],
])("framing with %j, HTTP/1.0: %p, is ambiguous: %p", (fields, isOld, isFaulty) => {
  const headers = { get: (name: string) => (fields as Record<string, string>)[name] ?? null };
  expect(hasFaultyFraming(headers, isOld)).toBe(isFaulty);
});
