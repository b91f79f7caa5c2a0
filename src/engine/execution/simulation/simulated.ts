import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
  L1Handler,
} from "#protocol/chain/index.ts";

/** A transaction whose fee is to be estimated or that is to be simulated. */
export interface SimulatedTransaction {
  readonly transaction: HashedTransaction<AccountTransaction | L1Handler>;
  /** Its version has the query bit. */
  readonly onlyQuery?: boolean;
  /** Its sender is impersonated on a development chain: it is not validated, whatever is asked for. */
  readonly isImpersonated?: boolean;
  /** The class that a declare transaction brings. */
  readonly declared?: ExecutableClass;
}
