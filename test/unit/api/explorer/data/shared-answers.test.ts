import { expect, test } from "bun:test";
import { SharedAnswers } from "#api/explorer/data/shared-answers.ts";

/** Shared answers whose computation counts its runs. */
function world() {
  let version = "1";
  let runs = 0;
  const answers = new SharedAnswers(() => version);
  const get = (key: string): Promise<Uint8Array> =>
    answers.get(key, () => Promise.resolve(new Uint8Array([++runs])));
  return { answers, get, change: (to: string) => (version = to) };
}

test("requests at the same time and later ones share one answer", async () => {
  const { get } = world();
  const [first, second] = await Promise.all([get("a"), get("a")]);
  expect([first, second, await get("a")]).toEqual([
    new Uint8Array([1]),
    new Uint8Array([1]),
    new Uint8Array([1]),
  ]);
});

test("other requests have other answers", async () => {
  const { get } = world();
  await get("a");
  expect(await get("b")).toEqual(new Uint8Array([2]));
});

test("an answer is computed again after a change, also back to an earlier version", async () => {
  const { get, change } = world();
  await get("a");
  change("2");
  expect(await get("a")).toEqual(new Uint8Array([2]));
  change("1");
  expect(await get("a")).toEqual(new Uint8Array([3]));
});

test("an answer that was begun before a change is not kept", async () => {
  const { answers, get, change } = world();
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  const begun = answers.get("a", () => promise);
  change("2");
  expect(await get("a")).toEqual(new Uint8Array([1]));
  resolve(new Uint8Array([9]));
  expect(await begun).toEqual(new Uint8Array([9]));
  expect(await get("a")).toEqual(new Uint8Array([1]));
});

test("a failure is that of the first client alone", async () => {
  const { answers, get } = world();
  const failing = answers.get("a", () => Promise.reject(new RangeError("too many calls")));
  const second = get("a");
  expect(failing).rejects.toThrow("too many calls");
  expect(await second).toEqual(new Uint8Array([1]));
  expect(await get("a")).toEqual(new Uint8Array([2]));
  expect(await get("a")).toEqual(new Uint8Array([2]));
});
