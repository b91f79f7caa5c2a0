import { expect, test } from "bun:test";
import { OpenQuestions } from "#app/node/admission/open-questions.ts";

test("gives each answer to who asked, once", async () => {
  const questions = new OpenQuestions<string>();
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
