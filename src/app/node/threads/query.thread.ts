import { createCairoVm } from "#engine/cairo/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { NodeError } from "#base/errors/index.ts";
import { callContract, estimateFee } from "#engine/execution/index.ts";
import {
  createMethodTables,
  executeQuery,
  type MethodTable,
  type RpcContext,
  type RpcObserver,
} from "#api/rpc/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import { type SlowValidatorParts, validateSlowly } from "#services/admission/index.ts";
import { type OpenChain, openChain } from "../open-chain.ts";
import { pendingBlock } from "../environment.ts";
import { PendingFeed } from "../pending-feed.ts";
import { PublishedChain } from "../published-chain.ts";
import { queryFailure } from "../query-pool.ts";
import { chainIdFelt, contextFor } from "../setup.ts";
import type { FromQuery, ToQuery } from "./protocol.ts";
import { warmUp } from "../warm-up.ts";
import { fail, runWorker, type WorkerContext, type WorkerService } from "./runtime.ts";

/** Answers calls, estimates and large reads with a machine and a database handle of its own. */
class QueryService implements WorkerService {
  readonly #context: WorkerContext<"query">;
  readonly #tables: ReadonlyMap<string, MethodTable>;
  readonly #rpc: RpcContext;
  readonly #feed: PendingFeed;
  readonly #validator: SlowValidatorParts;
  readonly #close: () => void;
  #warmUp: ReturnType<typeof setTimeout> | undefined;
  /** Whether the cancel flag ended the query at hand. */
  #isCancelled = false;
  /** Reports to the main thread, which has the log. */
  readonly #observer: Pick<RpcObserver, "internalError"> = {
    internalError: (method, logId, error) =>
      this.#context.main.send({
        kind: "internalError",
        method,
        logId,
        reason: describeError(error),
      }),
  };

  constructor(context: WorkerContext<"query">, { chain: stored, close }: OpenChain) {
    const { setup } = context;
    this.#context = context;
    this.#close = close;
    const chain = new PublishedChain(stored);
    const feed = new PendingFeed(chain);
    this.#feed = feed;
    context.connect("executor").listen((message) => feed.delta(message));
    context.connect("committer").listen((message) => {
      chain.publish(message.blockNumber);
      feed.accepted(message);
    });
    this.#tables = new Map(createMethodTables().map((table) => [table.spec.version, table]));
    const cancelFlag = new Int32Array(context.cancelFlag);
    const vm = createCairoVm({
      cancelFlag,
      maxMemoryBytes: setup.executionMemoryBytes,
      memoryPermits: new Int32Array(context.memoryPermits),
    });
    const contextOf = (info: BlockInfo) => contextFor(setup, info);
    this.#validator = {
      vm,
      chainId: chainIdFelt(setup.config),
      chargeFees: setup.chargeFees,
      pending: () => pendingBlock(setup, chain, feed.current()),
      contextOf,
    };
    this.#rpc = {
      chainId: chainIdFelt(setup.config),
      chain,
      pending: () => pendingBlock(setup, chain, feed.current()),
      unaccepted: () => feed.current().blocks(),
      syncStatus: () => false,
      isStopped: () => {
        if (Atomics.load(cancelFlag, 0) !== 0) this.#isCancelled = true;
        return this.#isCancelled;
      },
      execution: {
        call: (state, info, call) => this.#noted(callContract(vm, state, contextOf(info), call)),
        estimateFee: (state, info, transactions, { validate }) =>
          this.#noted(
            estimateFee(vm, state, contextOf(info), transactions, { skipValidate: !validate }),
          ),
      },
    };
  }

  /** Makes the first query as fast as the next ones, once the start has been reported. */
  warmUpSoon(): void {
    this.#warmUp = setTimeout(() => {
      const { info, state } = this.#validator.pending();
      warmUp(this.#context.setup, this.#validator.vm, state, info);
    });
  }

  handle(message: ToQuery): void {
    if (message.kind === "query") this.#answer(message).catch(fail);
    else this.#validate(message).catch(fail);
  }

  stop(): void {
    clearTimeout(this.#warmUp);
    this.#close();
  }

  async #answer(query: Extract<ToQuery, { kind: "query" }>): Promise<void> {
    const table = this.#tables.get(query.specVersion);
    if (table === undefined) throw new NodeError("NODE_NO_TABLE", query.specVersion);
    const { id, method, paramsText } = query;
    this.#isCancelled = false;
    const reached = this.#feed.reach(query.position);
    const bytes =
      reached === undefined || (await reached)
        ? await executeQuery(table, this.#rpc, method, paramsText, this.#observer)
        : queryFailure("the query thread did not learn of the newest blocks in time");
    this.#reply(id, bytes);
  }

  async #validate(request: Extract<ToQuery, { kind: "validate" }>): Promise<void> {
    const { id, position, bytes, senderIsToBeDeployed } = request;
    this.#isCancelled = false;
    // A thread that lags too far validates on what it has: the executor looks again.
    await this.#feed.reach(position);
    this.#reply(id, validateSlowly(this.#validator, bytes, senderIsToBeDeployed));
  }

  #reply(id: number, bytes: Uint8Array): void {
    const { position } = this.#feed;
    const isCancelled = this.#isCancelled;
    const answer: FromQuery = { kind: "answer", id, isCancelled, position, bytes };
    this.#context.main.send(answer);
  }

  #noted<T extends { readonly kind: string }>(outcome: T): T {
    if (outcome.kind === "cancelled") this.#isCancelled = true;
    return outcome;
  }
}

runWorker("query", async (context) => {
  const service = new QueryService(context, await openChain(context.setup));
  context.main.listen((message) => service.handle(message));
  service.warmUpSoon();
  return service;
});
