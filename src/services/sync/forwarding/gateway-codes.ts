import type { SubmitOutcome } from "#services/admission/index.ts";

/** Refusal of a transaction by the chain's own admission or by a gateway. */
export interface SubmitRefusal {
  readonly kind: "rejected";
  readonly code: SubmitErrorName;
  /** `data` of the error over JSON-RPC, `message` over the gateway. */
  readonly reason: string;
  /** Set if the transaction was not processed; there may be room for it after this time. */
  readonly retryAfterSeconds?: number;
}

/** Outcome of a submission, decided by this node or another one. */
export type SubmitAnswer =
  | Extract<SubmitOutcome, { readonly kind: "accepted" }>
  | SubmitRefusal
  /** Undecided: the sequencer could not be reached, or its response was lost. */
  | {
      readonly kind: "undecided";
      readonly reason: string;
      /**
       * Whether a sequencer may have received the transaction: `unsent` means no, `unanswered` means maybe. A
       * retry may reach one that decides. Omitted when a retry is useless.
       */
      readonly lost?: "unsent" | "unanswered";
    };

/** Errors of a submission, by their names in the JSON-RPC specification. */
export type SubmitErrorName =
  | Extract<SubmitOutcome, { readonly kind: "rejected" }>["code"]
  /** These three are reported only by sequencers of public networks. */
  | "CONTRACT_NOT_FOUND"
  | "ENTRYPOINT_NOT_FOUND"
  | "INVALID_CONTRACT_CLASS";

/** Refusal in a gateway's response. */
export interface GatewayRefusal {
  /** Error code with its prefix. */
  readonly code: string;
  readonly message: string;
  /** For status 429 and its `Retry-After` header. */
  readonly retryAfterSeconds?: number;
}

const PREFIX = "StarknetErrorCode.";
/** Gateways have written some codes with either prefix. */
const PREFIXES = [PREFIX, "StarkErrorCode."] as const;

/** Gateway code of each error; {@link ERROR_NAMES} maps it back to the same error. */
const GATEWAY_CODES = {
  CONTRACT_NOT_FOUND: "UNINITIALIZED_CONTRACT",
  ENTRYPOINT_NOT_FOUND: "ENTRY_POINT_NOT_FOUND_IN_CONTRACT",
  CLASS_HASH_NOT_FOUND: "UNDECLARED_CLASS",
  INVALID_CONTRACT_CLASS: "INVALID_CONTRACT_CLASS",
  CLASS_ALREADY_DECLARED: "CLASS_ALREADY_DECLARED",
  INVALID_TRANSACTION_NONCE: "INVALID_TRANSACTION_NONCE",
  INSUFFICIENT_RESOURCES_FOR_VALIDATE: "INSUFFICIENT_MAX_FEE",
  INSUFFICIENT_ACCOUNT_BALANCE: "INSUFFICIENT_ACCOUNT_BALANCE",
  VALIDATION_FAILURE: "VALIDATE_FAILURE",
  COMPILATION_FAILED: "COMPILATION_FAILED",
  CONTRACT_CLASS_SIZE_IS_TOO_LARGE: "CONTRACT_CLASS_OBJECT_SIZE_TOO_LARGE",
  NON_ACCOUNT: "NON_PERMITTED_CONTRACT",
  DUPLICATE_TX: "DUPLICATED_TRANSACTION",
  COMPILED_CLASS_HASH_MISMATCH: "INVALID_COMPILED_CLASS_HASH",
  UNSUPPORTED_TX_VERSION: "INVALID_TRANSACTION_VERSION",
  UNSUPPORTED_CONTRACT_CLASS_VERSION: "INVALID_CONTRACT_CLASS_VERSION",
  UNEXPECTED_ERROR: "TRANSACTION_LIMIT_EXCEEDED",
  REPLACEMENT_TRANSACTION_UNDERPRICED: "REPLACEMENT_TRANSACTION_UNDERPRICED",
  FEE_BELOW_MINIMUM: "FEE_BELOW_MINIMUM",
  INVALID_PROOF: "INVALID_PROOF",
} as const satisfies Readonly<Record<SubmitErrorName, string>>;

const RATE_LIMITED = "RATE_LIMITED";

/**
 * Meaning of gateway codes, including {@link GATEWAY_CODES}. The table is Madara's (crates/client/gateway);
 * codes missing from it map to {@link SubmitErrorName} UNEXPECTED_ERROR.
 */
const ERROR_NAMES: ReadonlyMap<string, SubmitErrorName> = new Map<string, SubmitErrorName>([
  ...(Object.entries(GATEWAY_CODES) as [SubmitErrorName, string][]).map(
    ([name, code]) => [code, name] as const,
  ),
  [RATE_LIMITED, "UNEXPECTED_ERROR"],
  ["INVALID_SIGNATURE", "VALIDATION_FAILURE"],
  ["TRANSACTION_FAILED", "VALIDATION_FAILURE"],
  ["OUT_OF_RANGE_BLOCK_HASH", "VALIDATION_FAILURE"],
  ["OUT_OF_RANGE_TRANSACTION_HASH", "VALIDATION_FAILURE"],
  ["OUT_OF_RANGE_CONTRACT_ADDRESS", "VALIDATION_FAILURE"],
  ["OUT_OF_RANGE_FEE", "VALIDATION_FAILURE"],
  ["UNSUPPORTED_SELECTOR_FOR_FEE", "VALIDATION_FAILURE"],
  ["UNAUTHORIZED_ENTRY_POINT_FOR_INVOKE", "VALIDATION_FAILURE"],
  ["INVALID_CONTRACT_DEFINITION", "INVALID_CONTRACT_CLASS"],
  ["INVALID_PROGRAM", "INVALID_CONTRACT_CLASS"],
  ["CONTRACT_BYTECODE_SIZE_TOO_LARGE", "CONTRACT_CLASS_SIZE_IS_TOO_LARGE"],
  ["DEPRECATED_TRANSACTION", "UNSUPPORTED_TX_VERSION"],
]);

/** Encodes a refusal as a gateway does; inverse of {@link submitRefusal}. */
export function gatewayRefusal({
  code,
  reason,
  retryAfterSeconds,
}: Omit<SubmitRefusal, "kind">): GatewayRefusal {
  return retryAfterSeconds === undefined
    ? { code: PREFIX + GATEWAY_CODES[code], message: reason }
    : { code: PREFIX + RATE_LIMITED, message: reason, retryAfterSeconds };
}

/** Decodes a gateway's refusal. An unknown code is prepended to the reason, so that it is not lost. */
export function submitRefusal({ code, message, retryAfterSeconds }: GatewayRefusal): SubmitRefusal {
  const bare = withoutPrefix(code);
  const name = bare === undefined ? undefined : ERROR_NAMES.get(bare);
  const room = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return name === undefined
    ? { kind: "rejected", code: "UNEXPECTED_ERROR", reason: `${code}: ${message}`, ...room }
    : { kind: "rejected", code: name, reason: message, ...room };
}

function withoutPrefix(code: string): string | undefined {
  const prefix = PREFIXES.find((each) => code.startsWith(each));
  return prefix === undefined ? undefined : code.slice(prefix.length);
}
