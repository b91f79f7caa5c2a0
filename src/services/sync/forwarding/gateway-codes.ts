import type { SubmitOutcome } from "#services/admission/index.ts";

/** A transaction that the chain's own admission, or a gateway, did not take. */
export interface SubmitRefusal {
  readonly kind: "rejected";
  readonly code: SubmitErrorName;
  /** The `data` of the error over JSON-RPC, the `message` over the gateway. */
  readonly reason: string;
  /** The transaction was not looked at; after this time there may be room for it. */
  readonly retryAfterSeconds?: number;
}

/** What became of a submission, whoever decided about it. */
export type SubmitAnswer =
  | Extract<SubmitOutcome, { readonly kind: "accepted" }>
  | SubmitRefusal
  /** Nobody has decided: who decides could not be asked, or its answer did not come. */
  | {
      readonly kind: "undecided";
      readonly reason: string;
      /**
       * Whether a sequencer may have received it: `unsent`, no; `unanswered`, it may have. Another attempt can
       * find one that decides. Omitted when another attempt is of no use.
       */
      readonly lost?: "unsent" | "unanswered";
    };

/** Errors that a submission can end with, by their names in the JSON-RPC specification. */
export type SubmitErrorName =
  | Extract<SubmitOutcome, { readonly kind: "rejected" }>["code"]
  /** These three are told by sequencers of public networks alone. */
  | "CONTRACT_NOT_FOUND"
  | "ENTRYPOINT_NOT_FOUND"
  | "INVALID_CONTRACT_CLASS";

/** What a gateway says when it does not take a transaction. */
export interface GatewayRefusal {
  /** With its prefix. */
  readonly code: string;
  readonly message: string;
  /** For the status 429 and its header `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

const PREFIX = "StarknetErrorCode.";
/** Gateways have written some codes with either. */
const PREFIXES = [PREFIX, "StarkErrorCode."] as const;

/** How each error is told by a gateway; read again by {@link ERROR_NAMES} it is the same error. */
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

/** Of a transaction that was not looked at. */
const RATE_LIMITED = "RATE_LIMITED";

/**
 * What codes of gateways mean, those of {@link GATEWAY_CODES} among them. The table is Madara's
 * (crates/client/gateway); codes that are not in it are {@link SubmitErrorName} UNEXPECTED_ERROR.
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

/** How a gateway tells a refusal; undone by {@link submitRefusal}. */
export function gatewayRefusal({
  code,
  reason,
  retryAfterSeconds,
}: Omit<SubmitRefusal, "kind">): GatewayRefusal {
  return retryAfterSeconds === undefined
    ? { code: PREFIX + GATEWAY_CODES[code], message: reason }
    : { code: PREFIX + RATE_LIMITED, message: reason, retryAfterSeconds };
}

/**
 * What a gateway's refusal means. A code that has no error of its own goes before the reason, so that
 * it is not lost.
 */
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
