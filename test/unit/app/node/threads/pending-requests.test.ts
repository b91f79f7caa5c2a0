import { expect, test } from "bun:test";
import { PendingRequests } from "#app/node/threads/pending-requests.ts";

/** Consecutive numbers from `next`. */
const numbersFrom = (next: number) => () => next++;

test("resolves each request with its own reply, once", async () => {
  const questions = new PendingRequests<string>(numbersFrom(0));
  const ids: number[] = [];
  const first = questions.ask((id) => void ids.push(id));
  const second = questions.ask((id) => void ids.push(id));
  expect(new Set(ids).size).toBe(2);
  questions.answer(ids[1] ?? -1, "two");
  questions.answer(ids[1] ?? -1, "again");
  questions.answer(ids[0] ?? -1, "one");
  questions.answer(99, "nobody");
  expect([await first, await second]).toEqual(["one", "two"]);
});

test("two instances with one id source share no id", async () => {
  const nextId = numbersFrom(7);
  const [texts, flags] = [
    new PendingRequests<string>(nextId),
    new PendingRequests<boolean>(nextId),
  ];
  const ids: number[] = [];
  const text = texts.ask((id) => void ids.push(id));
  const flag = flags.ask((id) => void ids.push(id));
  expect(ids).toEqual([7, 8]);
  texts.answer(8, "of the other");
  flags.answer(7, false);
  flags.answer(8, true);
  texts.answer(7, "mine");
  expect([await text, await flag]).toEqual(["mine", true]);
});
