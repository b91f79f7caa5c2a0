import { expect, test } from "bun:test";
import { STATUS_CODES } from "node:http";
import { REASON_PHRASES } from "#api/rpc/http/reason-phrases.ts";

test("reason phrases are those of all final status codes of the runtime", () => {
  const final = Object.entries(STATUS_CODES).filter(([code]) => Number(code) >= 200);
  expect(Object.entries<string | undefined>(REASON_PHRASES)).toEqual(final);
});
