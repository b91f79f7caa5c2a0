import { expect, test } from "bun:test";
import { Silence } from "#api/rpc/http/silence.ts";

test("silence is long after 0.3 s in which nothing has arrived", () => {
  const silence = new Silence();
  silence.begin(10);
  expect([silence.isLong(10, 200), silence.isLong(10, 99), silence.isLong(10, 1)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("bytes end the silence", () => {
  const silence = new Silence();
  silence.begin(10);
  silence.isLong(10, 200);
  expect([silence.isLong(11, 200), silence.isLong(11, 299), silence.isLong(11, 1)]).toEqual([
    false,
    false,
    true,
  ]);
});
