import { expect, test } from "bun:test";
import { abortOf } from "#app/node/setup/abort-of.ts";

test("settles when the signal is aborted, also when it was before", async () => {
  const late = new AbortController();
  let isSettled = false;
  const settled = abortOf(late.signal).then(() => (isSettled = true));
  await Bun.sleep(1);
  expect(isSettled).toBe(false);
  late.abort();
  await settled;
  await abortOf(AbortSignal.abort());
});
