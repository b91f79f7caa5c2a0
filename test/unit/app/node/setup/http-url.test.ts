import { expect, test } from "bun:test";
import { httpUrl } from "#app/node/setup/http-url.ts";

test.each([
  ["127.0.0.1", "http://127.0.0.1:80"],
  ["localhost", "http://localhost:80"],
  ["::1", "http://[::1]:80"],
  ["[::1]", "http://[::1]:80"],
])("maps host %s to %s", (host, url) => {
  expect(httpUrl(host, 80)).toBe(url);
});
