import { expect, test } from "bun:test";
import { InvariantError } from "#base/errors/index.ts";
import { CompileError } from "#engine/sierra/index.ts";
import { selfChecked } from "#engine/sierra/contract/self-checked.ts";

function thrownBy(step: () => unknown): unknown {
  try {
    return selfChecked(step);
  } catch (error) {
    return error;
  }
}

function failing(error: Error): () => never {
  return () => {
    throw error;
  };
}

test("selfChecked turns a failed compiler check into a rejection of the class, with its cause", () => {
  const cause = new InvariantError("branches that meet agree");
  const thrown = thrownBy(failing(cause));
  expect(thrown).toBeInstanceOf(CompileError);
  expect(thrown).toMatchObject({ code: "SIERRA_INVALID", cause });
  expect(String(thrown)).toContain("branches that meet agree");
});

test("selfChecked rethrows a rejection unchanged", () => {
  const refusal = new CompileError("CASM_TOO_LARGE", "too large");
  expect(thrownBy(failing(refusal))).toBe(refusal);
});

test("selfChecked rethrows any other error unchanged", () => {
  const crash = new RangeError("Maximum call stack size exceeded");
  expect(thrownBy(failing(crash))).toBe(crash);
});

test("selfChecked returns the result", () => {
  expect(selfChecked(() => 7)).toBe(7);
});
