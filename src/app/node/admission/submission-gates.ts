import { invariant } from "#base/errors/index.ts";
import {
  SUBMISSION_LIMITS,
  SubmissionGate,
  type SubmissionGateDeps,
  type SubmitOutcome,
  type Submitter,
} from "#services/admission/index.ts";

/** Dependencies of {@link SubmissionGates}. */
export interface SubmissionGatesDeps extends Pick<
  SubmissionGateDeps,
  "hasAccount" | "nowMs" | "nextId"
> {
  /** Senders of submissions, one for each validating thread. */
  readonly sends: readonly SubmissionGateDeps["send"][];
}

/**
 * One gate for each validating thread. All submissions of a sender use the same gate, in order of arrival. A
 * full gate does not affect the others.
 */
export class SubmissionGates {
  readonly #gates: readonly SubmissionGate[];

  constructor({ sends, ...deps }: SubmissionGatesDeps) {
    // The gates share the limit of one: together they hold no more bytes than a single gate.
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

  /** As {@link SubmissionGate.validated}; submission ids are unique across gates. */
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
