import type {
  AccountTransaction,
  ExecutableClass,
  HashedTransaction,
  L1Handler,
} from "#protocol/chain/index.ts";

/** Transaction to be simulated or to have its fee estimated. */
export interface SimulatedTransaction {
  readonly transaction: HashedTransaction<AccountTransaction | L1Handler>;
  /** Whether its version has the query bit. */
  readonly onlyQuery?: boolean;
  /**
   * Whether its sender is impersonated on a development chain: it is then never validated, whatever the
   * options.
   */
  readonly isImpersonated?: boolean;
  readonly declared?: ExecutableClass;
}
