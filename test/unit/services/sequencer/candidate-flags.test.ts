import { expect, test } from "bun:test";
import { flagsOf } from "#services/sequencer/candidate-flags.ts";

const IMPERSONATED = { isImpersonated: true };

test("a candidate is validated on every chain but one for development", () => {
  for (const chargeFees of [true, false]) {
    const settings = { chargeFees, takesImpersonated: false };
    expect(flagsOf(settings, IMPERSONATED)).not.toHaveProperty("validate");
  }
});

test("there it is validated unless its sender was impersonated", () => {
  const settings = { chargeFees: true, takesImpersonated: true };
  expect(flagsOf(settings, IMPERSONATED)).toEqual({ validate: false });
  expect(flagsOf(settings, { isImpersonated: false })).toEqual({});
  expect(flagsOf(settings, {})).toEqual({});
});

test("on a chain without fees it takes none either way", () => {
  const settings = { chargeFees: false, takesImpersonated: true };
  const free = { chargeFee: false, freeGas: true };
  expect(flagsOf(settings, {})).toEqual(free);
  expect(flagsOf(settings, IMPERSONATED)).toEqual({ ...free, validate: false });
});
