import { invariant } from "#base/errors/index.ts";
import {
  SUBMISSION_LIMITS,
  SubmissionGate,
  type SubmissionGateDeps,
  type SubmitOutcome,
  type Submitter,
} from "#services/admission/index.ts";

/** What gates work with. */
export interface SubmissionGatesDeps extends Pick<
  SubmissionGateDeps,
  "hasAccount" | "nowMs" | "nextId"
> {
  /** Hands a submission to the thread that validates, of each of them. */
  readonly sends: readonly SubmissionGateDeps["send"][];
}

/**
 * A gate for each thread that validates. All submissions of a sender go through the same one, in the
 * order in which they came; who fills one gate is nobody's concern at the others.
 */
export class SubmissionGates {
  readonly #gates: readonly SubmissionGate[];

  constructor({ sends, ...deps }: SubmissionGatesDeps) {
    // Together they hold no more bytes than one gate alone would.
    const maxSizeBytes = SUBMISSION_LIMITS.maxSizeBytes / sends.length;
    const limits = { ...SUBMISSION_LIMITS, maxSizeBytes };
    this.#gates = sends.map(
      (send) => new SubmissionGate({ ...deps, send, limits, sharesByClient: false }),
    );
  }

  /** As {@link SubmissionGate.submit}. */
  submit(submitter: Submitter, bytes: Uint8Array): Promise<SubmitOutcome> {
    const index = Number(BigInt.asUintN(32, submitter.sender)) % this.#gates.length;
    const gate = this.#gates[index];
    invariant(gate !== undefined, "every sender has a gate");
    return gate.submit(submitter, bytes);
  }

  /** As {@link SubmissionGate.validated}; numbers of submissions are different at all gates. */
  validated(id: number, costMs: number): void {
    for (const gate of this.#gates) gate.validated(id, costMs);
  }

  /** As {@link SubmissionGate.settled}. */
  settled(id: number, outcome: SubmitOutcome): void {
    for (const gate of this.#gates) gate.settled(id, outcome);
  }

  /** As {@link SubmissionGate.stop}. */
  stop(outcome?: SubmitOutcome): void {
    for (const gate of this.#gates) gate.stop(outcome);
  }

  /** As {@link SubmissionGate.interrupt}. */
  interrupt(outcome: SubmitOutcome): void {
    for (const gate of this.#gates) gate.interrupt(outcome);
  }
}
