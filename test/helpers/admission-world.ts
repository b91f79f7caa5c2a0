import {
  type AccountTransaction,
  encodeTransaction,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import type { ValidationOutcome } from "#engine/execution/index.ts";
import { positionAt } from "#engine/state/index.ts";
import { AdmissionService } from "#services/admission/admission-service.ts";
import {
  type AdmissionDeps,
  type AdmissionToValidator,
  decodeReceived,
  NOTHING_MISSING,
  type ToValidator,
  ValidatorService,
  type ValidatorToAdmission,
} from "#services/admission/index.ts";
import type { AdmissionToExecutor, ExecutorToAdmission } from "#services/admission/messages.ts";
import type { MempoolEntry, MempoolRejection } from "#io/storage/index.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import type { FromAdmission, ToAdmission } from "#services/admission/requests.ts";
import { fakePort } from "./fake-port.ts";
import { FakeTimer } from "./fake-timer.ts";
import { linkedPorts } from "./linked-ports.ts";
import { numberedChain } from "./memory-chain.ts";
import { memoryMempoolStore } from "./memory-mempool-store.ts";
import { nonceState, WIDE_LIMITS } from "./mempool-world.ts";

/** Number of the newest block of an {@link admissionWorld}. */
export const LATEST = 5;

/** Chain id of an {@link admissionWorld}. */
export const CHAIN_ID = 1n;

/** Engine outcome of a validation that accepted a transaction, with no call to reuse. */
export const VALID: ValidationOutcome = {
  kind: "valid",
  skipped: false,
  gas: { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n },
};

/** Crash journal without a record, as after an orderly stop. */
export const NO_CRASH = { read: () => undefined, clear: () => undefined };

/**
 * Starts an admission service, with the test at the other end of every port.
 *
 * @param stored - transactions received before the start
 * @param rejected - transactions rejected before the start
 * @param validatorCount - validators of submissions; they see the same chain
 */
export async function admissionWorld(
  deps: Partial<AdmissionDeps> = {},
  stored: readonly MempoolEntry[] = [],
  validatorCount = 0,
  rejected: readonly MempoolRejection[] = [],
) {
  const main = fakePort<ToAdmission, FromAdmission>();
  const executor = fakePort<ExecutorToAdmission, AdmissionToExecutor>();
  const committer = fakePort<{ readonly blockNumber: number }, never>();
  const timer = new FakeTimer();
  const clock = { nowMs: 1_000_000 };
  const store = memoryMempoolStore();
  store.put(stored);
  store.write({ reject: rejected });
  const feed = new PendingFeed(
    numberedChain(LATEST, () => nonceState()),
    timer,
  );
  const failures: unknown[] = [];
  const validated: bigint[] = [];
  const links = Array.from({ length: validatorCount }, () => ({
    main: fakePort<ToValidator, never>(),
    ends: linkedPorts<ValidatorToAdmission, AdmissionToValidator>(),
  }));
  const all: AdmissionDeps = {
    ports: { main, executor, committer, validators: links.map(({ ends }) => ends[0]) },
    chainId: CHAIN_ID,
    limits: {
      maxCalldataLength: 10,
      chargeFees: true,
      takesFree: false,
      maxFeeTransactions: false,
    },
    maxNonceForValidationSkip: 0,
    mempoolLimits: WIDE_LIMITS,
    rejectionTtlMs: 1_000,
    chain: { locate: () => undefined },
    store,
    executesBeforeSync: false,
    feed,
    free: null,
    bootstrapDeclares: 0,
    isImpersonatedAccount: () => false,
    validate({ hash }) {
      validated.push(hash);
      return VALID;
    },
    missing: NOTHING_MISSING,
    timer,
    unixNowMs: () => clock.nowMs,
    fail: (error) => failures.push(error),
    ...deps,
  };
  const service = new AdmissionService(all);
  for (const { main: submissions, ends } of links) {
    new ValidatorService({
      ...all,
      ports: { main: submissions, admission: ends[1] },
      overlay: () => feed.current(),
      nowMs: () => clock.nowMs,
    }).start();
  }
  const heardAtReload: boolean[] = [];
  const noted = {
    read() {
      heardAtReload.push(main.isHeard, executor.isHeard, committer.isHeard);
      return undefined;
    },
    clear: () => heardAtReload.push(main.isHeard, executor.isHeard, committer.isHeard),
  };
  await service.start({ executed: noted, committed: NO_CRASH, validated: [NO_CRASH] });
  const world = {
    service,
    main,
    executor,
    committer,
    timer,
    clock,
    store,
    feed,
    failures,
    validated,
    /** Whether each port had a listener while the service restored stored transactions. */
    heardAtReload,
    /** Sends a request of a client that has seen the newest accepted block. */
    ask(request: WithoutPosition<ToAdmission>) {
      const position = positionAt(LATEST);
      if (request.kind !== "submit" || request.validation !== undefined || links.length === 0) {
        main.tell({ ...request, position });
        return;
      }
      const sender = senderAddressOf(decodeReceived(request.bytes).transaction);
      links[Number(sender) % links.length]?.main.tell({ ...request, position });
    },
    /** Submits a transaction, and lets the service work. */
    async submit(id: number, transaction: AccountTransaction) {
      world.ask({ kind: "submit", id, bytes: encodeTransaction({ hash: 0n, transaction }) });
      await settle();
    },
    /** Replies so far, without the positions. */
    replies: () =>
      main.sent.map((reply) => {
        const { position, ...rest } = reply;
        void position;
        return rest;
      }),
    /** Latest reply to a submission. */
    outcome: (id: number) =>
      main.sent
        .flatMap((reply) => (reply.kind === "submitted" ? reply.outcomes : []))
        .findLast((outcome) => outcome.id === id)?.outcome,
  };
  return world;
}

type WithoutPosition<T> = T extends unknown ? Omit<T, "position"> : never;

/** Waits until everything has run that does not depend on a timer. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
}
