import { type Felt, hexFromFelt } from "#base/primitives/index.ts";

/** Keys that predict a query's duration, from similar queries and from earlier runs of the same one. */
export interface WorkKind {
  readonly kind: string;
  /** Identifies this very query; empty if it does not repeat. */
  readonly exact: string;
}

/** Returns the class hash of a contract; 0 if none is deployed. */
export type ClassHashAt = (address: Felt) => Felt;

/** Maximum length of parameters that are parsed. */
const MAX_PARSED_LENGTH = 65_536;

/** Felts of calldata that characterize a transaction: the number of calls, and the first call. */
const TELLING_FELTS = 3;

/**
 * Returns the kind of a query. Calls are grouped by class and selector, classes by hash, estimates by sender
 * and amount of work; other queries by their parameters.
 *
 * @param paramsText - JSON of parameters by position or by name, not validated yet
 */
export function workKindOf(method: string, paramsText: string, classHashAt: ClassHashAt): WorkKind {
  const exact = `${method} ${Bun.hash(paramsText)}`;
  const isParsed = paramsText.length <= MAX_PARSED_LENGTH;
  const kind = isParsed ? kindOf(method, paramsOf(paramsText), classHashAt) : undefined;
  return { kind: kind ?? (isParsed ? exact : `${method} ${magnitude(paramsText.length)}`), exact };
}

/**
 * Returns the kind of the check of a submission before it is accepted: `validate` for a transaction, `prepare`
 * for a declaration. Submissions whose sizes share a power of two share a kind; none has an exact key.
 */
export function submissionKind(kind: "validate" | "prepare", sizeBytes: number): WorkKind {
  return { kind: `${kind} ${magnitude(sizeBytes)}`, exact: "" };
}

function kindOf(method: string, params: unknown, classHashAt: ClassHashAt): string | undefined {
  switch (method) {
    case "call":
      return entryPoint(method, member(params, 0, "request"), "contract_address", classHashAt);
    case "estimateMessageFee":
      return entryPoint(method, member(params, 0, "message"), "to_address", classHashAt);
    // Feeder gateway equivalents of the calls and classes.
    case "feederCall":
      return calledKind(
        "call",
        felt(member(params, 2, "")),
        felt(member(params, 3, "")),
        classHashAt,
      );
    case "contractClass":
      return classKind(felt(member(params, 0, "")));
    case "compiledClass":
      return `casm ${felt(member(params, 0, ""))}`;
    case "estimateFee":
      return transactions(method, member(params, 0, "request"));
    case "simulateTransactions":
      return transactions(method, member(params, 1, "transactions"));
    case "getClass":
      return classKind(felt(member(params, 1, "class_hash")));
    case "getClassAt": {
      const address = felt(member(params, 1, "contract_address"));
      return classKind(address === undefined ? undefined : classHashAt(address));
    }
    default:
      return undefined;
  }
}

/** All methods that return a class share a kind. */
function classKind(classHash: Felt | undefined): string | undefined {
  return classHash === undefined ? undefined : `class ${hexFromFelt(classHash)}`;
}

function entryPoint(
  method: string,
  request: unknown,
  addressName: string,
  classHashAt: ClassHashAt,
): string | undefined {
  const address = felt(member(request, -1, addressName));
  const selector = felt(member(request, -1, "entry_point_selector"));
  return calledKind(method, address, selector, classHashAt);
}

/** Formats felts in hexadecimal: decimal takes several times as long. */
function calledKind(
  method: string,
  address: Felt | undefined,
  selector: Felt | undefined,
  classHashAt: ClassHashAt,
): string | undefined {
  if (address === undefined || selector === undefined) return undefined;
  return `${method} ${hexFromFelt(classHashAt(address))} ${hexFromFelt(selector)}`;
}

function transactions(method: string, list: unknown): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const first: unknown = list[0];
  const calldata = member(first, -1, "calldata");
  const felts: readonly unknown[] = Array.isArray(calldata) ? calldata : [];
  const telling = felts.slice(0, TELLING_FELTS).map((value) => felt(value));
  const sender = felt(member(first, -1, "sender_address"));
  return [method, magnitude(list.length), sender, magnitude(felts.length), ...telling].join(" ");
}

/** Returns the binary logarithm, rounded up: sizes of the same magnitude share a kind. */
function magnitude(count: number): number {
  return Math.ceil(Math.log2(count + 1));
}

/** Returns a parameter by position or name, or a member of one. */
function member(of: unknown, index: number, name: string): unknown {
  if (Array.isArray(of)) return of[index];
  if (typeof of !== "object" || of === null || !Object.hasOwn(of, name)) return undefined;
  return (of as Readonly<Record<string, unknown>>)[name];
}

/** Parses a felt in any notation: `0x1` and `0x01` are equal. */
function felt(value: unknown): Felt | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)
    ? BigInt(value)
    : undefined;
}

function paramsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The method's decoder reports the error.
    return undefined;
  }
}
