import { PEDERSEN } from "#protocol/trie/index.ts";
import {
  type BlockInfo,
  EMPTY_STATE_DIFF,
  encodedTransaction,
  encodeStateDiff,
  type Receipt,
} from "#protocol/chain/index.ts";
import type { BlockCommit } from "#io/storage/index.ts";
import type { AcceptedMessage, GateMessage, SealedMessage } from "#services/sequencer/index.ts";
import { CommitterService } from "#services/sequencer/committer-service.ts";
import type { PublishGate } from "#services/sequencer/publish-gate.ts";
import { encodePendingDelta } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { TrieName } from "#protocol/trie/index.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { emptyInvoke } from "#test/helpers/mempool-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { storageState } from "#test/helpers/memory-chain.ts";

const PRICE = { wei: 1n, fri: 1n };
const NO_GAS = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

/** Returns the block info of a block number, in the messages of {@link sealed}. */
export const infoOf = (number: number): BlockInfo => ({
  number,
  timestamp: 1_700_000_000 + number,
  sequencerAddress: 0x5e9n,
  gasPrices: { l1Gas: PRICE, l1DataGas: PRICE, l2Gas: PRICE },
  l1DaMode: "BLOB",
  protocolVersion: "0.14.0",
});

/**
 * Messages of the executor about a block with transactions of these hashes, each with one event.
 */
export function sealed(
  number: number,
  hashes: readonly bigint[] = [],
  attempt = 1,
  status: Receipt["status"] = { kind: "succeeded" },
): [DeltaMessage, SealedMessage] {
  const bytes = encodePendingDelta({
    blockNumber: number,
    sequence: 0,
    info: infoOf(number),
    transactions: hashes.map((hash) =>
      encodedTransaction({ hash, transaction: emptyInvoke(1n, hash) }),
    ),
    receipts: hashes.map((transactionHash) => ({
      transactionHash,
      actualFee: 0n,
      feeUnit: "FRI",
      events: [{ fromAddress: 1n, keys: [2n], data: [] }],
      messages: [],
      status,
      gas: NO_GAS,
      daGas: NO_GAS,
      vmResources: { steps: 1, memoryHoles: 0, builtins: {} },
    })),
    diff: EMPTY_STATE_DIFF,
    classes: [],
    sealed: true,
  });
  const stateDiff = encodeStateDiff(EMPTY_STATE_DIFF);
  return [
    { kind: "delta", blockNumber: number, sequence: 0, bytes },
    {
      kind: "sealed",
      blockNumber: number,
      stateDiff,
      attempt,
      productionSeconds: 2,
      l1Messages: [],
    },
  ];
}

type Executor = ReturnType<typeof committer>["executor"];

/** Sends the executor's messages about a block to the committer. */
export function tell(executor: Executor, messages: ReturnType<typeof sealed>): void {
  for (const message of messages) executor.tell(message);
}

/** Settings of a {@link committer} that a test changes. */
export interface CommitterDeps {
  readonly latest?: number;
  readonly gate?: PublishGate;
  readonly epoch?: number | null;
  /** Epoch of the stored blocks. */
  readonly storedEpoch?: number;
  /** Duration of a commit. */
  readonly commitMs?: number;
  /** Trie pages that each block reads from the file; many by default. */
  readonly pagesOfBlock?: (blockNumber: number) => number;
  readonly onCommit?: (commit: BlockCommit) => void;
  readonly afterAccepted?: (log: string[]) => void;
}

/** A committer with the test at the other end of each port; `log` records its actions in order. */
export function committer(deps: CommitterDeps = {}) {
  const { latest = -1, commitMs = 0, epoch = null } = deps;
  const gate: PublishGate = deps.gate ?? (() => Promise.resolve({ kind: "published" }));
  const log: string[] = [];
  const failures: unknown[] = [];
  const commits: BlockCommit[] = [];
  const states: number[] = [];
  const rootsRead: TrieName[] = [];
  const tries = new MemoryTrieStore();
  const timer = new FakeTimer();
  const outlet = (name: string) =>
    fakePort<DeltaMessage | SealedMessage, AcceptedMessage | GateMessage>((message) => {
      const what = message.kind === "gate" ? message.state : message.kind;
      log.push(`${name}: ${what} ${message.blockNumber}`);
    });
  const executor = outlet("executor");
  const main = outlet("main");
  const service = new CommitterService({
    ports: { executor, readers: [outlet("admission"), outlet("query-0")], main },
    chain: {
      latestNumber: () => (latest < 0 ? undefined : latest),
      header: (number) => testHeader(number),
      epoch: () => deps.storedEpoch ?? 0,
      bundleBytes: (number) => Uint8Array.of(number),
      stateAt(number) {
        states.push(number);
        return storageState(new Map());
      },
    },
    writer: {
      get triePagesRead() {
        const pagesOf = deps.pagesOfBlock ?? (() => 16);
        return commits.reduce((sum, { block }) => sum + pagesOf(block.header.number), 0);
      },
      trieStore: {
        hashes: tries.hashes,
        node: (id) => tries.node(id),
        nextNodeId: () => tries.nextNodeId(),
        root(name) {
          rootsRead.push(name);
          return tries.root(name);
        },
      },
      commitBlock(commit) {
        deps.onCommit?.(commit);
        log.push(`commit ${commit.block.header.number}`);
        commits.push(commit);
        timer.advance(commitMs);
      },
    },
    guard: {
      runBlock(attempt, hashes, work) {
        log.push(`guard ${attempt} [${hashes.join()}]`);
        return work();
      },
    },
    gate,
    epoch,
    pedersen: PEDERSEN,
    signingKey: 0x1234n,
    timer,
    afterAccepted: () => deps.afterAccepted?.(log),
    onFailure: (error) => failures.push(error),
  });
  return { service, executor, main, log, failures, commits, states, rootsRead, timer };
}
