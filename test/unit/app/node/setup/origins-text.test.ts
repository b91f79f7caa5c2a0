import { expect, test } from "bun:test";
import { originsText } from "#app/node/setup/origins-text.ts";

test("lists allowed origins as configured", () => {
  expect(originsText({ cors: "all" })).toBe("*");
  expect(originsText({ cors: ["https://a.b", "http://c"] })).toBe("https://a.b,http://c");
  expect(originsText({ cors: "local" })).toBe(
    "http://localhost:*,http://127.0.0.1:*,http://[::1]:*,https://localhost:*,https://127.0.0.1:*,https://[::1]:*",
  );
});
