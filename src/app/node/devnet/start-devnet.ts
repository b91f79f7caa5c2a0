import { type Felt, once, SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import {
  DevnetFault,
  type DevnetFork,
  type FetchingOrigin,
  repeatWhileMissing,
  THIS_NODE,
  type TransactionSubmitter,
} from "#api/rpc/index.ts";
import { casmHashFunctionOf } from "#protocol/chain/index.ts";
import { type ClassCompiler, ImpersonatedAccounts } from "#services/admission/index.ts";
import { DevEnvironment, devFaucet } from "#services/sequencer/index.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { nextBlockInfo, unixNowMs } from "../setup/environment.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { PreparedFolder } from "../storage/folder/prepared-folder.ts";
import type { Production } from "../production/production.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { MainDevnet } from "../query/rpc/main-devnet.ts";
import { chainIdFelt, type NodeSetup } from "../setup/setup.ts";
import { forgetBeforeLoad, keepBeforeLoad } from "../storage/folder/load-undo.ts";
import { AwaitedTransactions } from "./awaited-transactions.ts";
import { ClassPreparation } from "./class-preparation.ts";
import { devnetConfig } from "./devnet-config.ts";
import { DumpService, sealsImmediately } from "./dump-service.ts";
import { metadataOfChain, readOrLess } from "./devnet-metadata.ts";
import { DevnetService } from "./devnet-service.ts";
import type { ForkMove } from "./fork-move.ts";
import { FaucetClient } from "./faucet-client.ts";
import { MintSelectors, TRANSFER } from "./mint-selectors.ts";
import { MockL1 } from "./mock-l1.ts";
import { openMessaging } from "./open-messaging.ts";
import { Postman } from "./postman.ts";
import { prefetchChange } from "./prefetch-change.ts";
import { followProgress } from "../production/progress.ts";
import { ReceivedTransactions } from "./received.ts";
import type { Renew } from "./renewal-of.ts";
import { StateWrites } from "./state-writes.ts";

/** Dependencies of {@link startDevnet}. */
export interface DevnetDeps {
  readonly options: NodeOptions;
  readonly setup: NodeSetup;
  readonly view: ChainView;
  readonly prepared: Pick<PreparedFolder, "accounts" | "accountClass" | "faucetClass">;
  readonly production: Pick<Production, "admission" | "remote">;
  /** `null` on a chain that is no fork. */
  readonly fork: FetchingOrigin | null;
  readonly revert: ChainRevert;
  /** Moves a fork; `null` on a chain that is no fork. */
  readonly move: ForkMove | null;
  readonly renew: Renew;
  /** Hashes classes. */
  readonly queryPool: Pick<WorkerQueryPool, "prepare">;
  readonly compiler: { readonly service: Pick<ClassCompiler, "compile"> };
  readonly log: Logger;
}

/** Starts the development features; `undefined` where they are off. */
export function startDevnet(deps: DevnetDeps): MainDevnet | undefined {
  const { options, setup, view, prepared, production, fork, revert, move, renew } = deps;
  const { queryPool, compiler, log } = deps;
  if (setup.devnet === null || options.devnet === null) return undefined;
  const { asyncSubmission, gasPrices } = options.devnet;
  const { admission, remote } = production;
  const chainConfig = setup.config;
  const environment = new DevEnvironment(setup.devnet.page);
  const { chain, feed } = view;
  const chainId = chainIdFelt(chainConfig);
  const overlay = () => feed.current();
  const next = () => nextBlockInfo(setup, chain, unixNowMs(setup));
  const progress = followProgress(view, remote);
  const stopping = new AbortController();
  remote.onStop(() => stopping.abort());
  const received = new ReceivedTransactions();
  const tokens = { FRI: chainConfig.nativeFeeTokenAddress, WEI: chainConfig.parentFeeTokenAddress };
  const { accountClass, faucetClass } = prepared;
  // Reads the oldest stored state, because that of the genesis block may be pruned. Its accounts and tokens
  // persist.
  const first = setup.fork === null ? 0 : setup.fork.forkBlock + 1;
  const genesis = () => chain.stateAt(Math.max(first, chain.oldestStateBlock()));
  const accounts = once(() => prepared.accounts(genesis()));
  const metadataOf = (classOf: (token: Felt) => Felt | null) =>
    metadataOfChain(accounts(), accountClass, tokens, genesis(), classOf);
  const metadata = once(() => metadataOf((token) => genesis().classHashAt(token)));
  const config = async () => {
    const known = await readOrLess(fork, SYSTEM_TIMER, metadata, () => metadataOf(() => null));
    return devnetConfig(options, setup.fork, known, next().gasPrices);
  };
  const access = new DevnetService({
    writes: new StateWrites({
      control: remote.control,
      progress,
      classes: new ClassPreparation({
        name: (bytes) => queryPool.prepare(bytes, "names"),
        compiler: compiler.service,
        hashFunction: casmHashFunctionOf(chainConfig.latestProtocolVersion),
      }),
      async prefetch(change) {
        if (fork !== null) await prefetchChange(fork, overlay().state(), change);
      },
      sealsImmediately: () => sealsImmediately(setup, environment),
    }),
    chainId,
    tokens,
    fork: forkOf(setup),
    chain,
    accounts,
    config,
    next,
    control: remote.control,
    faucet: new FaucetClient({
      chainId,
      faucet: faucetClass === null ? null : devFaucet(faucetClass),
      selectors: setup.fork === null ? new MintSelectors() : TRANSFER,
      read: (work) => repeatWhileMissing(fork, THIS_NODE, () => work(overlay().state())),
      gasPrices: () => next().gasPrices,
      submit: (transaction) => admission.submit(transaction, THIS_NODE),
      rejectionOf: (hash) => admission.rejectionOf(hash),
      progress,
    }),
    progress,
    received,
    postman: new Postman({
      mockL1: new MockL1(chain, first),
      open: (order) => openMessaging(order, SYSTEM_TIMER, stopping.signal),
      log,
    }),
    impersonated: new ImpersonatedAccounts(setup.devnet.impersonation),
    dumps: new DumpService({
      options,
      setup,
      environment,
      progress,
      remote,
      chain,
      admission,
      undo: {
        keep: () => keepBeforeLoad(setup.files),
        forget: () => forgetBeforeLoad(setup.files.folder),
        undo: () => renew("a load of a dump was undone meanwhile: send it again"),
      },
    }),
    sealsImmediately: () => sealsImmediately(setup, environment),
    asyncSubmission,
    revert: (order) => revert.to(order),
    move,
    followsL1: setup.followsL1,
    resetEnvironment() {
      environment.reset(unixNowMs(setup));
      environment.setPrices(gasPrices);
    },
    async acceptOnL1(blockNumber) {
      const block = chain.header(blockNumber);
      if (block === undefined || !(await remote.settleOnL1(blockNumber, block.hash))) {
        throw new DevnetFault("the node is stopping, or the chain was reverted meanwhile");
      }
      view.live.settled(blockNumber);
    },
  });
  const awaited = new AwaitedTransactions({
    chain,
    overlay,
    admission,
    sealsImmediately: () => sealsImmediately(setup, environment),
    timer: SYSTEM_TIMER,
    timeoutMs: options.rpc.timeoutMs,
  });
  remote.onGrowth(() => awaited.changed());
  remote.onInterrupt(() => awaited.interrupt());
  remote.onStop(() => awaited.interrupt());
  admission.onRejected((rejections) => awaited.rejected(rejections));
  return {
    access,
    watch: (submit) => watched(submit, received),
    answering: (submit) => (asyncSubmission ? submit : awaited.answering(submit)),
  };
}

/** Returns the fork of a chain for the developer methods. */
export function forkOf({ fork }: Pick<NodeSetup, "fork">): DevnetFork | null {
  if (fork === null) return null;
  const { originChainId: chainId, forkBlock: blockNumber, blockHash } = fork;
  return { chainId, blockNumber, blockHash };
}

/** Wraps a submitter to record received transactions. */
function watched(
  submit: TransactionSubmitter,
  received: ReceivedTransactions,
): TransactionSubmitter {
  const noted = async (
    submitted: ReturnType<TransactionSubmitter["submit"]>,
  ): ReturnType<TransactionSubmitter["submit"]> => {
    const outcome = await submitted;
    if (outcome.kind === "accepted") received.add(outcome.transactionHash);
    return outcome;
  };
  return {
    submit: (...sent) => noted(submit.submit(...sent)),
    declare: (...sent) => noted(submit.declare(...sent)),
  };
}
