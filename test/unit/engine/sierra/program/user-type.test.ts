import { expect, test } from "bun:test";
import { userTypeId, userTypeIdFromNumber } from "#engine/sierra/program/user-type.ts";

// Ids from the Sierra of contract classes.
test.each([
  ["Tuple", 0x2ee1e2b1b89f8c495f200e4956278a4d47395fe262f27b52e5865c9524c08c3n],
  ["core::bool", 0x3288d594b9a45d15bb2fcb7903f06cdb06b27f0ba88186ec4cfaa98307cb972n],
])("userTypeId of %s", (name, number) => {
  expect(userTypeId(name)).toBe(userTypeIdFromNumber(number));
});

test("userTypeIdFromNumber has no leading zeros", () => {
  expect(userTypeIdFromNumber(0xab5n)).toBe("0xab5");
});
