import { expect, test } from "bun:test";
import { impersonatesOf } from "#app/node/setup/impersonation.ts";
import { devnetSetup } from "#app/node/setup/devnet-setup.ts";
import { ImpersonatedAccounts } from "#services/admission/index.ts";
import { DEVNET_OPTIONS } from "#test/helpers/node-options.ts";

test("a thread sees current impersonations through the page alone", () => {
  const setup = devnetSetup({ devnet: DEVNET_OPTIONS });
  const impersonates = impersonatesOf(setup);
  expect(impersonates(7n)).toBe(false);
  const accounts = new ImpersonatedAccounts(
    setup.devnet?.impersonation ?? new SharedArrayBuffer(0),
  );
  accounts.add(7n);
  expect([6n, 7n].map(impersonates)).toEqual([false, true]);
  accounts.remove(7n);
  expect(impersonates(7n)).toBe(false);
});

test("impersonates nobody without development mode", () => {
  expect(devnetSetup({ devnet: null })).toEqual({ devnet: null });
  expect(impersonatesOf({ devnet: null })(7n)).toBe(false);
});
