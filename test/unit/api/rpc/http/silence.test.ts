import { expect, test } from "bun:test";
import { Silence } from "#api/rpc/http/silence.ts";

test("Silence is long after 0.3 s without bytes", () => {
  const silence = new Silence();
  silence.begin(10);
  expect([silence.isLong(10, 200), silence.isLong(10, 99), silence.isLong(10, 1)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("Silence restarts when bytes arrive", () => {
  const silence = new Silence();
  silence.begin(10);
  silence.isLong(10, 200);
  expect([silence.isLong(11, 200), silence.isLong(11, 299), silence.isLong(11, 1)]).toEqual([
    false,
    false,
    true,
  ]);
});
