import type { Felt } from "#base/primitives/index.ts";
import { ImpersonatedAccounts } from "#services/admission/index.ts";
import type { NodeSetup } from "./setup.ts";

/** Whether an account's signature is not looked at: on no chain but a development chain. */
export function impersonatesOf({ devnet }: Pick<NodeSetup, "devnet">): (address: Felt) => boolean {
  if (devnet === null) return () => false;
  const accounts = new ImpersonatedAccounts(devnet.impersonation);
  return (address) => accounts.has(address);
}
