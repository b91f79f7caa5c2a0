import type { Felt, Port, Timer } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import type { StatelessLimits } from "./admission-rules.ts";
import type { AdmitterDeps } from "./admitter.ts";
import type { FreeRules } from "./free-transactions.ts";
import type { MempoolLimits } from "./mempool/index.ts";
import type { AdmissionToExecutor, ExecutorToAdmission } from "./messages.ts";
import type { PendingFeed } from "./pending-feed.ts";
import type { FromAdmission, ToAdmission } from "./requests.ts";
import type { AdmissionToValidator, ValidatorToAdmission } from "./validator-service.ts";

/** Who admission talks with. */
export interface AdmissionPorts {
  /** Who submits and asks. */
  readonly main: Port<ToAdmission, FromAdmission>;
  readonly executor: Port<ExecutorToAdmission, AdmissionToExecutor>;
  /** Threads that check submissions before they come here; none: this one does all of it. */
  readonly validators: readonly Port<ValidatorToAdmission, AdmissionToValidator>[];
  /** Tells of accepted blocks. */
  readonly committer: Pick<Port<{ readonly blockNumber: number }, never>, "listen">;
}

/** What admission works with. */
export interface AdmissionDeps {
  readonly ports: AdmissionPorts;
  readonly chainId: Felt;
  readonly limits: StatelessLimits;
  /** See {@link AdmitterDeps}. */
  readonly maxNonceForValidationSkip: number;
  readonly mempoolLimits: MempoolLimits;
  /** How long rejections are kept; milliseconds. */
  readonly rejectionTtlMs: number;
  readonly chain: Pick<ChainReader, "locate">;
  readonly store: MempoolStore;
  /**
   * Whether transactions go to the executor while they are being flushed to the disk, unless somebody watches:
   * answers come no earlier, and the end of the process loses nothing. Power loss may take a transaction that
   * has been seen in the block being built and whose sender has no answer.
   */
  readonly executesBeforeSync: boolean;
  /** What is above the chain. Only this service tells it of deltas and blocks. */
  readonly feed: PendingFeed;
  /** Whether an account's transactions are taken with any signature. */
  readonly impersonates: AdmitterDeps["impersonates"];
  /** Which transactions are free, until when; `null` on a chain that takes no fees. */
  readonly free: FreeRules | null;
  /** How many declarations by nobody the chain has. */
  readonly bootstrapDeclares: number;
  /** Runs an account's validation on the pending state. */
  readonly validate: AdmitterDeps["validate"];
  readonly timer: Timer;
  /** Unix milliseconds. */
  readonly unixNowMs: () => number;
  /** Is told of what ends the service: it cannot go on. */
  readonly fail: (error: unknown) => void;
}
