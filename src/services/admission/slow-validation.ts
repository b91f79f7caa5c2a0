import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { encodePrevalidated, type ValidationOutcome } from "#engine/execution/index.ts";
import { type Refusal, refusalOf } from "./admission-rules.ts";

/** Result of a validation that was too long for the admission thread and ran on another one. */
export type SlowValidation =
  | { readonly kind: "refused"; readonly code: Refusal["code"]; readonly reason: string }
  /** `prevalidated` is the encoded validation result for the executor, if any. */
  | { readonly kind: "valid"; readonly prevalidated: Uint8Array | null };

const TOO_LONG = "the validation of the transaction takes too long for this node";

/** Converts a validation outcome for admission. */
export function slowValidationOf(outcome: ValidationOutcome): SlowValidation {
  switch (outcome.kind) {
    case "valid": {
      const { prevalidated } = outcome;
      return {
        kind: "valid",
        prevalidated: prevalidated === undefined ? null : encodePrevalidated(prevalidated),
      };
    }
    case "rejected": {
      const { code, reason } = refusalOf(outcome.error);
      return { kind: "refused", code, reason };
    }
    case "cancelled":
      return { kind: "refused", code: "VALIDATION_FAILURE", reason: TOO_LONG };
  }
}

/** Encodes a slow validation for transfer between threads. */
export function encodeSlowValidation(validation: SlowValidation): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(256);
  writer.bool(validation.kind === "valid");
  if (validation.kind === "valid") {
    writer.nullable(validation.prevalidated, (to, bytes) => to.bytes(bytes));
  } else {
    writer.text(validation.code);
    writer.text(validation.reason);
  }
  return writer.finish();
}

/**
 * Decodes the output of {@link encodeSlowValidation}.
 *
 * @throws {DecodeError} when the bytes are not a slow validation
 */
export function decodeSlowValidation(bytes: Uint8Array): SlowValidation {
  const reader = new ByteReader(bytes, "validation");
  const validation: SlowValidation = reader.bool()
    ? { kind: "valid", prevalidated: reader.nullable((from) => from.bytes()) }
    : { kind: "refused", code: reader.text() as Refusal["code"], reason: reader.text() };
  reader.end();
  return validation;
}
