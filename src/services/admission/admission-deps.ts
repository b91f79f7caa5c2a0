import type { Felt, Port, Timer } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import type { StatelessLimits } from "./admission-rules.ts";
import type { AdmitterDeps } from "./admitter.ts";
import type { FreeRules } from "./free-transactions.ts";
import type { MempoolLimits } from "./mempool/index.ts";
import type { AdmissionToExecutor, ExecutorToAdmission } from "./messages.ts";
import type { MissingValues } from "./origin-retries.ts";
import type { PendingFeed } from "./pending-feed.ts";
import type { FromAdmission, ToAdmission } from "./requests.ts";
import type { AdmissionToValidator, ValidatorToAdmission } from "./validator-service.ts";

/** Ports of the admission thread. */
export interface AdmissionPorts {
  /** Main thread: sends submissions and queries. */
  readonly main: Port<ToAdmission, FromAdmission>;
  readonly executor: Port<ExecutorToAdmission, AdmissionToExecutor>;
  /** Validator threads that check submissions first; when empty, admission checks everything itself. */
  readonly validators: readonly Port<ValidatorToAdmission, AdmissionToValidator>[];
  /** Reports accepted blocks. */
  readonly committer: Pick<Port<{ readonly blockNumber: number }, never>, "listen">;
}

/** Dependencies of {@link AdmissionService}. */
export interface AdmissionDeps {
  readonly ports: AdmissionPorts;
  readonly chainId: Felt;
  readonly limits: StatelessLimits;
  /** See {@link AdmitterDeps}. */
  readonly maxNonceForValidationSkip: number;
  readonly mempoolLimits: MempoolLimits;
  /** Retention of rejections; milliseconds. */
  readonly rejectionTtlMs: number;
  readonly chain: Pick<ChainReader, "locate">;
  readonly store: MempoolStore;
  /**
   * Whether transactions go to the executor while they are still being flushed to disk, unless a subscriber
   * watches. Responses come no earlier, and a process crash loses nothing. Power loss may lose a transaction
   * that was visible in the pre-confirmed block but whose sender has not been answered.
   */
  readonly executesBeforeSync: boolean;
  /** State above the chain. Only this service adds deltas and blocks to it. */
  readonly feed: PendingFeed;
  /** Whether an account's transactions are accepted with any signature. */
  readonly isImpersonatedAccount: AdmitterDeps["isImpersonatedAccount"];
  /** Rules for free transactions; `null` on a chain that charges no fees. */
  readonly free: FreeRules | null;
  /** Number of bootstrap declarations (without a paying sender) that the chain already has. */
  readonly bootstrapDeclares: number;
  /** Runs an account's validation on the pending state. */
  readonly validate: AdmitterDeps["validate"];
  /** Values of a fork's origin. */
  readonly missing: MissingValues;
  readonly timer: Timer;
  /** Unix milliseconds. */
  readonly unixNowMs: () => number;
  /** Reports a fatal error: the service must stop. */
  readonly fail: (error: unknown) => void;
}
