import type { SlowValidation, SubmitOutcome } from "#services/admission/index.ts";

/** Maximum long validations that run or wait at the same time; more are refused. */
export const MAX_SLOW = 64;

/**
 * Validates an encoded transaction on another thread, so that it does not delay other submissions.
 *
 * @returns `undefined` when the node is stopping or has no capacity
 */
export type ValidateSlowly = (
  bytes: Uint8Array,
  isSenderUndeployed: boolean,
) => Promise<SlowValidation | undefined>;

/** Result of a long validation: admission resumes the submission, or it is rejected. */
export type SlowOutcome =
  | Extract<SlowValidation, { readonly kind: "valid" }>
  | Extract<SubmitOutcome, { readonly kind: "rejected" }>;

/** Delegates long validations, up to {@link MAX_SLOW} at a time. */
export class SlowLane {
  readonly #validate: ValidateSlowly;
  #underWay = 0;

  constructor(validate: ValidateSlowly) {
    this.#validate = validate;
  }

  /** Validates, or rejects the transaction when {@link MAX_SLOW} validations are running. */
  async run(bytes: Uint8Array, isSenderUndeployed: boolean): Promise<SlowOutcome> {
    if (this.#underWay >= MAX_SLOW) return NO_ROOM;
    this.#underWay++;
    const validation = await this.#validate(bytes, isSenderUndeployed);
    this.#underWay--;
    if (validation === undefined) return NO_ROOM;
    if (validation.kind === "valid") return validation;
    return { kind: "rejected", code: validation.code, reason: validation.reason };
  }
}

const NO_ROOM = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "the node is busy with long validations: try again later",
  retryAfterSeconds: 5,
} as const;
