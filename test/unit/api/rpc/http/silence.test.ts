import { expect, test } from "bun:test";
import { Silence } from "#api/rpc/http/silence.ts";

test("silence lasts until bytes arrive", () => {
  const silence = new Silence();
  silence.begin(10);
  expect([silence.pass(10, 100), silence.pass(10, 50), silence.pass(11, 100)]).toEqual([
    100, 150, 0,
  ]);
  expect(silence.pass(11, 30)).toBe(30);
});
