import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { callContract, estimateFee } from "#engine/execution/index.ts";
import type { ChainReader, PendingBlock, PendingOverlay } from "#engine/state/index.ts";
import {
  createAdminTable,
  createMethodTables,
  runQuery,
  type LongResult,
  type ForkOrigin,
  type QueryContext,
  type QueryObserver,
} from "#api/rpc/index.ts";
import { createExplorerTable, type ExplorerIndex } from "#api/explorer/index.ts";
import { createFeederTable } from "#api/gateway/index.ts";
import { chainIdFelt, contextFor, type NodeSetup, statelessLimits } from "../setup/setup.ts";
import { TRACE_LIMITS } from "./trace-limits.ts";
import type { Cancellation } from "./cancellation.ts";
import type { ClassNeeds } from "./class-needs.ts";
import { markImpersonated } from "./impersonated.ts";
import type { RpcQuery } from "./query-service.ts";
import { createStepLimit } from "./step-limit.ts";
import { traceAccess } from "./trace-access.ts";

/** Dependencies of {@link createQueryMethods}. */
export interface QueryMethodsDeps {
  readonly setup: NodeSetup;
  readonly vm: CairoVm;
  readonly chain: ChainReader;
  /** Pending block, and the state after it. */
  readonly pending: () => PendingBlock;
  /** Whether an account is impersonated, so that any signature is valid. */
  readonly isImpersonatedAccount: (address: Felt) => boolean;
  /** Pending blocks above the chain. */
  readonly overlay: () => PendingOverlay;
  readonly cancellation: Cancellation;
  readonly classes: Pick<ClassNeeds, "outcomeOf">;
  /** Origin of the chain; `null` if it is no fork. */
  readonly fork: ForkOrigin | null;
  /** Index of the explorer; `null` without it. */
  readonly explorer: ExplorerIndex | null;
  readonly observer: QueryObserver;
}

/**
 * Creates the methods of all versions for a query thread, with its machine and database handle.
 *
 * @returns a function that runs a query; it rejects with {@link NodeError} NODE_NO_TABLE for an unknown
 *   version
 */
export function createQueryMethods({
  setup,
  vm,
  chain,
  pending,
  isImpersonatedAccount,
  overlay,
  cancellation,
  classes,
  fork,
  explorer,
  observer,
}: QueryMethodsDeps): (query: RpcQuery) => Promise<Uint8Array | LongResult> {
  const all = [...createMethodTables(), createAdminTable(), createFeederTable()];
  if (explorer !== null) all.push(createExplorerTable(explorer));
  const tables = new Map(all.map((table) => [table.spec.version, table]));
  const contextOf = (info: BlockInfo) => contextFor(setup, info);
  const limit = createStepLimit(setup.maxSteps);
  const limitedOf = (info: BlockInfo) => limit(contextOf(info), "transaction");
  const rpc: QueryContext = {
    chainId: chainIdFelt(setup.config),
    chain,
    pending,
    unaccepted: () => overlay().blocks(),
    fork,
    isStopped: () => cancellation.isStopped(),
    declares: {
      takesMaxFee: statelessLimits(setup).maxFeeTransactions,
      compiledClass: (request) => classes.outcomeOf(request),
    },
    limits: setup.methodLimits,
    execution: {
      call: (state, info, call) =>
        cancellation.noted(callContract(vm, state, limit(contextOf(info), "call"), call)),
      estimateFee: (state, info, transactions, { validate }) =>
        cancellation.noted(
          estimateFee(
            vm,
            state,
            limitedOf(info),
            markImpersonated(transactions, isImpersonatedAccount),
            {
              skipValidate: !validate,
            },
          ),
        ),
    },
    tracing: traceAccess({
      vm,
      contextOf,
      limitedOf,
      isImpersonatedAccount,
      cancellation,
      chargeFees: setup.chargeFees,
      limits: TRACE_LIMITS,
    }),
  };
  return async ({ specVersion, method, paramsText }) => {
    const table = tables.get(specVersion);
    if (table === undefined) throw new NodeError("NODE_NO_TABLE", specVersion);
    return runQuery(table, rpc, method, paramsText, observer);
  };
}
