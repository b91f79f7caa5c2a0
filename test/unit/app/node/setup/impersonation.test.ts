import { expect, test } from "bun:test";
import { impersonationOf } from "#app/node/setup/impersonation.ts";
import { devnetSetup } from "#app/node/setup/devnet-setup.ts";
import { ImpersonatedAccounts } from "#services/admission/index.ts";
import { DEVNET_OPTIONS } from "#test/helpers/node-options.ts";

test("a thread sees current impersonations through the page alone", () => {
  const setup = devnetSetup({ devnet: DEVNET_OPTIONS });
  const isImpersonatedAccount = impersonationOf(setup);
  expect(isImpersonatedAccount(7n)).toBe(false);
  const accounts = new ImpersonatedAccounts(
    setup.devnet?.impersonation ?? new SharedArrayBuffer(0),
  );
  accounts.add(7n);
  expect([6n, 7n].map(isImpersonatedAccount)).toEqual([false, true]);
  accounts.remove(7n);
  expect(isImpersonatedAccount(7n)).toBe(false);
});

test("impersonates nobody without development mode", () => {
  expect(devnetSetup({ devnet: null })).toEqual({ devnet: null });
  expect(impersonationOf({ devnet: null })(7n)).toBe(false);
});
