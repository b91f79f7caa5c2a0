import { expect, test } from "bun:test";
import { shippedAccountClass, shippedCasm, shippedClass } from "#app/node/setup/shipped-classes.ts";

test("the code of a class of the program is found by the hash of the class", () => {
  expect(shippedCasm(shippedAccountClass())).toBe(shippedClass("account").casmJson ?? "");
});

test("the program has no code of other classes", () => {
  expect(shippedCasm(1n)).toBeUndefined();
});
