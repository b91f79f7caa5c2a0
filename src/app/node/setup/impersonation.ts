import type { Felt } from "#base/primitives/index.ts";
import { ImpersonatedAccounts } from "#services/admission/index.ts";
import type { NodeSetup } from "./setup.ts";

/** Returns whether an account's signature is skipped; always false outside development chains. */
export function impersonationOf({ devnet }: Pick<NodeSetup, "devnet">): (address: Felt) => boolean {
  if (devnet === null) return () => false;
  const accounts = new ImpersonatedAccounts(devnet.impersonation);
  return (address) => accounts.has(address);
}
