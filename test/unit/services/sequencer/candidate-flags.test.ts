import { expect, test } from "bun:test";
import { flagsOf } from "#services/sequencer/candidate-flags.ts";

const IMPERSONATED = { isImpersonated: true };

test("a candidate is validated on every chain except a development chain", () => {
  for (const chargeFees of [true, false]) {
    const settings = { chargeFees, takesImpersonated: false };
    expect(flagsOf(settings, IMPERSONATED)).not.toHaveProperty("validate");
  }
});

test("a candidate on a development chain is validated unless its sender is impersonated", () => {
  const settings = { chargeFees: true, takesImpersonated: true };
  expect(flagsOf(settings, IMPERSONATED)).toEqual({ validate: false });
  expect(flagsOf(settings, { isImpersonated: false })).toEqual({});
  expect(flagsOf(settings, {})).toEqual({});
});

test("a candidate pays no fee on a chain without fees", () => {
  const settings = { chargeFees: false, takesImpersonated: true };
  const free = { chargeFee: false, freeGas: true };
  expect(flagsOf(settings, {})).toEqual(free);
  expect(flagsOf(settings, IMPERSONATED)).toEqual({ ...free, validate: false });
});
