import {
  type BlockInfo,
  EMPTY_STATE_DIFF,
  type HashedTransaction,
  type L1Handler,
  type Receipt,
  transactionHash,
} from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { type BlockContext, BlockExecutor } from "#engine/execution/index.ts";
import { OverlayState, type PendingBlock, type StateReader } from "#engine/state/index.ts";
import { type TraceAccessDeps, traceAccess } from "#app/node/query/trace-access.ts";
import { createFakeChain, type FakeBlock, fakeBlock } from "./fake-chain.ts";
import { loadClass } from "./scenario/classes.ts";
import { sampleContext } from "./sample-chain.ts";
import type { FullContext } from "./serving.ts";
import { fixturePath } from "./shared.ts";
import { transfer, transferBlock } from "./transfer-chain.ts";
import { transferState } from "./transfer-state.ts";
import { TRACE_LIMITS } from "#app/node/query/trace-limits.ts";

/** Address of a contract with the handler `my_l1_handler`. */
export const HANDLER = 0x1a4d1en;

/** Exceeds every balance. */
const TOO_MUCH = 10n ** 31n;

/** A message from L1 to {@link HANDLER}. */
export function messageToHandler(
  nonce: bigint,
  name = "my_l1_handler",
): HashedTransaction<L1Handler> {
  const transaction: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: HANDLER,
    entryPointSelector: selectorFromName(name),
    calldata: [0xe7n, 0xan],
    paidFeeOnL1: 1n,
  };
  return { hash: transactionHash(transaction, transferBlock().chainId), transaction };
}

/** Transactions of each block: two accepted ones, a sealed one and the one being built. */
const BLOCKS: () => readonly (readonly HashedTransaction[])[] = () => [
  [transfer(0n), transfer(1n, { amount: TOO_MUCH }), messageToHandler(0n)],
  [transfer(2n), messageToHandler(1n, "nothing"), transfer(3n), transfer(4n)],
  [transfer(5n)],
  [transfer(6n), messageToHandler(2n)],
];

const ACCEPTED = 2;

/** A chain of executed blocks, and the data of responses about it. */
export interface TraceWorld {
  readonly context: FullContext;
  /** Transactions by block. */
  readonly transactions: readonly (readonly HashedTransaction[])[];
  readonly receipts: readonly (readonly Receipt[])[];
  /** State before each block, and after the last one. */
  readonly states: readonly StateReader[];
}

/** Settings of a {@link traceWorld}. */
export interface TraceWorldOptions extends Partial<TraceAccessDeps> {
  readonly vm?: CairoVm;
}

/** Executes {@link BLOCKS}; requires the fixtures. */
export function traceWorld(options: TraceWorldOptions = {}): TraceWorld {
  const vm = options.vm ?? createCairoVm();
  const chargeFees = options.chargeFees ?? true;
  const folder = "classes/pathfinder-rpc";
  const { classHash, executable } = loadClass(
    { sierra: `${folder}/l1_handler.json`, casm: `${folder}/l1_handler.casm` },
    fixturePath(),
    "class",
  );
  const genesis = transferState();
  genesis.classes.set(classHash, executable);
  genesis.classHashes.set(HANDLER, classHash);
  const transactions = BLOCKS();
  const states: StateReader[] = [genesis];
  const blocks: FakeBlock[] = [];
  for (const [number, list] of transactions.entries()) {
    const before = states[number] ?? genesis;
    const block = transferBlock({ limits: {} }, number);
    const executor = new BlockExecutor(vm, before, block);
    executor.begin(undefined);
    const flags = chargeFees ? {} : { chargeFee: false, freeGas: true };
    const receipts = list.map((transaction) => {
      const outcome = executor.execute(transaction, flags);
      if (outcome.kind !== "included") throw new TypeError(JSON.stringify(outcome));
      return outcome.receipt;
    });
    const { stateDiff } = executor.finish();
    states.push(new OverlayState(before, stateDiff));
    blocks.push(
      fakeBlock({ header: { ...block.info, number }, transactions: list, receipts, stateDiff }),
    );
  }
  const { chainId } = transferBlock();
  const chain = {
    ...createFakeChain(blocks.slice(0, ACCEPTED)),
    stateAt: (number: number) => states[Math.min(number + 1, ACCEPTED)] ?? genesis,
  };
  const views = blocks.slice(ACCEPTED).map((block, i) => viewOf(block, states[ACCEPTED + i + 1]));
  const contextOf = (info: BlockInfo): BlockContext => ({ ...transferBlock(), info });
  const context = sampleContext({
    chainId,
    chain,
    pending: () => views.at(-1),
    unaccepted: () => views,
    tracing: traceAccess({
      vm,
      contextOf,
      limitedOf: contextOf,
      isImpersonatedAccount: () => false,
      cancellation: { isStopped: () => false, noted: (outcome) => outcome },
      chargeFees,
      limits: TRACE_LIMITS,
      ...options,
    }),
  });
  return { context, transactions, receipts: blocks.map(({ receipts }) => receipts), states };
}

function viewOf(
  { header, transactions, receipts, stateDiff }: FakeBlock,
  state?: StateReader,
): PendingBlock {
  return {
    info: header,
    transactions,
    receipts,
    stateDiff: stateDiff ?? EMPTY_STATE_DIFF,
    state: state ?? transferState(),
    find(hash) {
      const index = transactions.findIndex((transaction) => transaction.hash === hash);
      return index === -1 ? undefined : { index };
    },
  };
}
