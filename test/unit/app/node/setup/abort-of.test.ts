import { expect, test } from "bun:test";
import { abortOf } from "#app/node/setup/abort-of.ts";

test("resolves when the signal aborts, also if it is already aborted", async () => {
  const late = new AbortController();
  let isSettled = false;
  const settled = abortOf(late.signal).then(() => (isSettled = true));
  await Bun.sleep(1);
  expect(isSettled).toBe(false);
  late.abort();
  await settled;
  await abortOf(AbortSignal.abort());
});
