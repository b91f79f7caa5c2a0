import { type ChainReader, ForkedChain } from "#engine/state/index.ts";
import type { OriginError } from "#base/errors/index.ts";
import type { Port } from "#base/primitives/index.ts";
import {
  ChannelOriginReader,
  KnownValues,
  OriginFetcher,
  OriginMissing,
  type OriginQuery,
  type OriginReply,
  type OriginRequest,
  Patience,
  ReadAheadChannel,
  StartingChannel,
} from "#io/origin/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { decodeReceived, type MissingValues, NOTHING_MISSING } from "#services/admission/index.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { type ForkAccess, waitingChannel } from "./chain-of.ts";
import { Announcements } from "./announcements.ts";
import { type ExpectedPlace, expectedReads, senderReads } from "./expected-reads.ts";
import { OwnKeys } from "./own-keys.ts";

/** Waits while the thread starts: a lost origin must not delay the start. */
const START_MS = { fullMs: 1_000, shortMs: 50, pauseMs: 60_000, maxPauseMs: 60_000 };

/** Maximum bytes of values that a thread knows. */
const KNOWN_BYTES = 32 << 20;

/** Access of a thread that checks submissions. */
export interface SubmissionAccess extends Omit<ForkAccess, "setup" | "post"> {
  readonly setup: Pick<NodeSetup, "fork" | "config">;
  /** Connects with the thread that reads the origin. Called only on a fork. */
  readonly connect: () => Port<OriginReply, OriginRequest>;
}

/** The chain as seen by a thread that checks submissions, which waits for nothing once it has started. */
export interface SubmissionChain {
  readonly chain: ChainReader;
  /** Obtains values that a check lacked. */
  readonly missing: MissingValues;
  /** Ends the start: from now on, reads of unknown values throw `OriginMissing`. */
  started(): void;
}

/** Opens the chain for a thread that checks submissions. */
export function submissionChainOf(
  stored: StoredChainReader,
  { setup, connect, cancelFlag, beat }: SubmissionAccess,
): SubmissionChain {
  const { fork } = setup;
  if (fork === null) {
    return { chain: stored, missing: NOTHING_MISSING, started: () => undefined };
  }
  const nowMs = () => performance.now();
  const known = new KnownValues({ maxBytes: KNOWN_BYTES, l1AcceptedMs: 0, nowMs });
  const flag = new Int32Array(cancelFlag);
  const port = connect();
  const post = (request: OriginRequest): void => port.send(request);
  const isStopped = (): boolean => Atomics.load(flag, 0) !== 0;
  const access = { post: () => post, isStopped, beat };
  const waiting = waitingChannel(access, new Patience({ ...START_MS, nowMs }));
  const fetcher = new OriginFetcher(post, known);
  port.listen((reply) => fetcher.receive(reply));
  const channel = new StartingChannel(waiting, known);
  const origin = new ChannelOriginReader(new ReadAheadChannel(channel), fork.forkBlock);
  const { forkBlock } = fork;
  const ownKeys = new OwnKeys();
  const announcements = new Announcements();
  const place = (): ExpectedPlace => ({
    block: forkBlock,
    feeToken: setup.config.nativeFeeTokenAddress,
    ownKeys: ownKeys.keys,
  });
  return {
    chain: new ForkedChain(stored, origin),
    missing: {
      obtain(error, sender) {
        if (!(error instanceof OriginMissing)) return Promise.resolve(error);
        if (sender === undefined) return obtain({ fetcher, known }, error, []);
        ownKeys.note(error.queries[0], sender);
        return obtain({ fetcher, known }, error, senderReads(sender, place()));
      },
      announce(bytes) {
        const { transaction } = decodeReceived(bytes);
        const queries = announcements.add(expectedReads(transaction, place()));
        if (queries.length > 0) post({ kind: "prefetch", queries });
      },
    },
    started: () => channel.started(),
  };
}

/** Fetches what an error says is missing, and values that are usually needed with it. */
async function obtain(
  { fetcher, known }: { readonly fetcher: OriginFetcher; readonly known: KnownValues },
  error: OriginMissing,
  usual: readonly OriginQuery[],
): Promise<OriginError | undefined> {
  const failure = await fetcher.fetch([...error.queries, ...usual]);
  // The first value is the one that was read: the others were only likely to be needed.
  const isRead = error.queries.slice(0, 1).every((query) => known.has(query));
  return isRead ? undefined : failure;
}
