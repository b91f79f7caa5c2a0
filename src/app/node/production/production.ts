import type { TransactionSubmitter } from "#api/rpc/index.ts";
import type { DeclareService } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import { type AdmissionClient, INTERRUPTED } from "../admission/admission-client.ts";
import { type AdmissionNeeds, openAdmission } from "../admission/part.ts";
import type { Growth } from "../threads/growth.ts";
import type { FollowedL1 } from "../threads/roles/followed-l1.ts";
import { RemoteThreads } from "./remote-threads.ts";
import type { GateReport } from "./reports/gate-report.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";

/** Dependencies of {@link Production}. */
export interface ProductionDeps extends AdmissionNeeds {
  /** Collects the events of the publish gate. */
  readonly gate: GateReport;
  /** Counts a visible block. */
  readonly accepted: (block: AcceptedMessage) => void;
  /** Reports a jump of the wall clock, in milliseconds. */
  readonly clockJumped: (byMs: number) => void;
  /** Follows L1 for a block producer. */
  readonly followL1: (remote: RemoteThreads) => FollowedL1;
}

/**
 * Main thread's part of a role that produces blocks: its connections to admission, executor and committer.
 */
export class Production implements RoleServices {
  readonly admission: AdmissionClient;
  readonly remote: RemoteThreads;
  readonly l1: FollowedL1;
  readonly growth: Growth;
  readonly submit: TransactionSubmitter;
  readonly #declares: DeclareService;
  readonly #accepted: (block: AcceptedMessage) => void;
  readonly #gate: GateReport;

  constructor(deps: ProductionDeps) {
    const { client: admission, declarations } = openAdmission(deps);
    this.admission = admission;
    this.#declares = declarations;
    const { threads, setup, gate } = deps;
    this.#gate = gate;
    this.#accepted = (block) => {
      deps.accepted(block);
      if (setup.gate !== null) gate.published();
    };
    this.remote = new RemoteThreads(
      { executor: threads.end("executor"), committer: threads.end("committer") },
      setup.fork?.origins ?? [],
    );
    this.remote.onClockJump(deps.clockJumped);
    this.growth = this.remote.sources();
    this.remote.onGate((message) => gate.tell(message));
    this.remote.onInterrupt(() => gate.forget());
    this.l1 = deps.followL1(this.remote);
    this.submit = {
      submit: (...sent) => admission.submit(...sent),
      declare: (declaration, { address }) => declarations.declare(declaration, address),
    };
  }

  get mempool(): AdmissionClient {
    return this.admission;
  }

  accepted(block: AcceptedMessage): void {
    this.#accepted(block);
  }

  /** A producer follows no gateway. */
  syncStatus(): false {
    return false;
  }

  /** As {@link syncStatus}. */
  following(): null {
    return null;
  }

  alarm(): string | undefined {
    return this.#gate.alarm();
  }

  hold(): void {
    this.admission.hold();
  }

  interrupt(): void {
    this.admission.interrupt();
    this.remote.interrupt();
  }

  release(): void {
    this.admission.release();
  }

  close(): void {
    this.l1.stop();
    this.remote.interrupt();
    this.admission.close();
    this.#declares.stop(INTERRUPTED);
  }

  stop(): void {
    this.l1.stop();
    this.remote.stop();
    this.admission.stop();
    this.#declares.stop();
  }
}
