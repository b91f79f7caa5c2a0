import type { Felt } from "#base/primitives/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { encodeTransaction } from "#protocol/chain/index.ts";
import {
  type AdmissionToExecutor,
  type DeltaMessage,
  encodeBatch,
  ExecutionGuard,
  type ExecutorToAdmission,
} from "#services/admission/index.ts";
import {
  type AcceptedMessage,
  type ControlCommand,
  type ControlReply,
  type ControlRequest,
  type DevEnvironment,
  ExecutorService,
  type ExecutorSettings,
  type L1Prices,
  type ProducerSettings,
  type SealedMessage,
} from "#services/sequencer/index.ts";
import { type ConsumedL1Message, OverlayState, type StateReader } from "#engine/state/index.ts";
import { DraftAssembly } from "#services/sequencer/draft-assembly.ts";
import { testBlockHash, testHeader } from "./blocks.ts";
import { fakePort } from "./fake-port.ts";
import { FakeTimer } from "./fake-timer.ts";
import { numberedChain } from "./memory-chain.ts";
import { SEQUENCER, transfer, transferBlock } from "./transfer-chain.ts";
import { transferState } from "./transfer-state.ts";

/** Block time of {@link executorWorld}, in milliseconds. */
export const BLOCK_TIME_MS = 1_000;

/** System time at the start of a test, in Unix milliseconds. */
export const SYSTEM_NOW_MS = 1_700_000_500_000;

/** Settings of an {@link executorWorld} that a test changes. */
export interface WorldParts {
  readonly schedule?: Partial<ExecutorSettings["schedule"]>;
  readonly production?: Partial<ProducerSettings>;
  readonly batchSize?: number;
  /** Number of the newest accepted block. */
  readonly latest?: number;
  readonly vm?: CairoVm;
  readonly clock?: { nowMs(): number };
  /** Default: the elapsed time. */
  readonly processorMs?: () => number;
  /** Consumed L1 messages of accepted blocks, by nonce. */
  readonly consumed?: ReadonlyMap<bigint, ConsumedL1Message>;
  /** Environment of a development chain. */
  readonly environment?: DevEnvironment;
  /** Wraps the state that accepted blocks changed; by default unchanged. */
  readonly behind?: (state: StateReader) => StateReader;
}

let machine: CairoVm | undefined;

/**
 * An executor on the state of the transfer chain, on demand by default, with the test at the other
 * end of each port. `log` has everything that it posts and notes, in order.
 */
export function executorWorld(parts: WorldParts = {}) {
  const { latest = 4, vm = (machine ??= createCairoVm()) } = parts;
  const log: string[] = [];
  const timer = new FakeTimer();
  const state = parts.behind?.(transferState()) ?? transferState();
  const admission = fakePort<AdmissionToExecutor, ExecutorToAdmission>(({ kind }) =>
    log.push(`admission: ${kind}`),
  );
  const committer = fakePort<AcceptedMessage, DeltaMessage | SealedMessage>(({ kind }) =>
    log.push(`committer: ${kind}`),
  );
  const sealed = () => {
    const assembly = new DraftAssembly();
    return committer.sent.flatMap((message) => {
      if (message.kind === "sealed") return [{ message, draft: assembly.seal(message) }];
      assembly.add(message);
      return [];
    });
  };
  // The database has the sealed blocks.
  const reads: number[] = [];
  const stateAt = (number: number): StateReader => {
    reads.push(number);
    return sealed()
      .map(({ draft }) => draft)
      .filter(({ info }) => info.number <= number)
      .reduce<StateReader>((below, { stateDiff }) => new OverlayState(below, stateDiff), state);
  };
  const chain = {
    ...numberedChain(latest, stateAt),
    consumedL1Message: (nonce: bigint) => parts.consumed?.get(nonce),
    header: (number: number) => (number <= latest ? testHeader(number) : undefined),
    ancestorHeader: (number: number) => (number <= latest ? testHeader(number) : undefined),
  };
  const outlet = (name: string) =>
    fakePort<never, DeltaMessage>(({ kind }) => log.push(`${name}: ${kind}`));
  const readers = [outlet("query-0"), outlet("query-1")];
  const main = outlet("main");
  const control = fakePort<ControlRequest, ControlReply>(({ outcome }) =>
    log.push(`control: ${outcome.kind}`),
  );
  const { environment } = parts;
  let nextId = 0;
  const guard = new ExecutionGuard({
    begin: (hash, attempt) => log.push(`begin ${hash.toString(16)} ${attempt}`),
    end: () => log.push("end"),
    died: () => log.push("died"),
  });
  const { chainId, feeTokens, constants, info } = transferBlock();
  let prices: L1Prices = {
    l1GasWei: 1n,
    l1DataGasWei: 1n,
    friPerWei: { numerator: 1n, denominator: 1n },
  };
  const service = new ExecutorService(
    {
      ports: { admission, committer, readers, main, control },
      devnet:
        environment === undefined
          ? null
          : { environment, unixNowMs: () => SYSTEM_NOW_MS + timer.nowMs() },
      chain,
      ownBlocks: chain,
      vm,
      guard,
      clock: parts.clock ?? {
        nowMs: () => {
          const systemMs = SYSTEM_NOW_MS + timer.nowMs();
          return environment?.nowMs(systemMs) ?? systemMs;
        },
      },
      timer,
      processorMs: () => parts.processorMs?.() ?? timer.nowMs(),
      l1Prices: () => prices,
      setL1Prices: (newer) => {
        prices = newer;
      },
    },
    {
      schedule: {
        blockTimeMs: BLOCK_TIME_MS,
        onDemand: true,
        noEmptyBlocks: true,
        ...parts.schedule,
      },
      batchSize: parts.batchSize ?? 64,
      tickMs: 20,
    },
    {
      chainId,
      feeTokens,
      constants,
      protocolVersion: info.protocolVersion,
      bouncer: { limits: {} },
      sequencerAddress: SEQUENCER,
      l1DaMode: "BLOB",
      l2GasPricing: { kind: "fixed", priceFri: 1n },
      chargeFees: true,
      free: null,
      takesImpersonated: false,
      ...parts.production,
    },
  );
  return {
    service,
    timer,
    log,
    /** Blocks whose state was read from the database. */
    reads,
    admission,
    committer,
    readers,
    main,
    /** Sends an order to the executor of a development chain. */
    order: (command: ControlCommand) => control.tell({ kind: "control", id: nextId++, command }),
    /** Outcomes of orders. */
    outcomes: () => control.sent.map(({ outcome }) => outcome),
    /** Sends admission's response with transfers of these nonces. @returns their hashes */
    batch(nonces: readonly Felt[], attempt = 1, coming = 0): Felt[] {
      const transactions = nonces.map((nonce) => transfer(nonce));
      const bytes = encodeBatch(
        transactions.map((each) => ({
          transaction: encodeTransaction(each),
          prevalidated: undefined,
        })),
      );
      admission.tell({ kind: "batch", count: nonces.length, coming, attempt, bytes });
      return transactions.map(({ hash }) => hash);
    },
    /** Sends the committer's notice that a block is accepted. */
    accept(blockNumber: number, commitSeconds = 0.01): void {
      committer.tell({
        kind: "accepted",
        blockNumber,
        blockHash: testBlockHash(blockNumber),
        transactionCount: 0,
        eventCount: 0,
        revertedTransactions: { count: 0, first: [] },
        productionSeconds: 0,
        commitSeconds,
      });
    },
    /** Complete blocks that were sent to the committer. */
    sealed,
    /** Batch results that were sent to admission, in order. */
    settled() {
      return admission.sent.filter((message) => message.kind === "settled");
    },
    /** Number of requested batches. */
    takes(): number {
      return admission.sent.filter(({ kind }) => kind === "take").length;
    },
  };
}
