import { type Felt, hexFromFelt } from "#base/primitives/index.ts";

/** What tells beforehand how long a query takes: others of its kind, and the same one before. */
export interface WorkKind {
  readonly kind: string;
  /** This query and no other; empty where there is no telling. */
  readonly exact: string;
}

/** The class of a contract; 0 where there is none. */
export type ClassHashAt = (address: Felt) => Felt;

/** Parameters of more characters are not looked into. */
const MOST_LOOKED_AT = 65_536;

/** Felts of calldata that tell what an account's transaction does: a count of calls, the first call. */
const TELLING_FELTS = 3;

/**
 * The kind of a query: of a call its class and selector, of a class its hash, of estimates the sender
 * and how much there is to execute; of anything else its parameters.
 *
 * @param paramsText - JSON of parameters by position or by name, not checked yet
 */
export function workKindOf(method: string, paramsText: string, classHashAt: ClassHashAt): WorkKind {
  const exact = `${method} ${Bun.hash(paramsText)}`;
  const isLooked = paramsText.length <= MOST_LOOKED_AT;
  const kind = isLooked ? kindOf(method, paramsOf(paramsText), classHashAt) : undefined;
  return { kind: kind ?? (isLooked ? exact : `${method} ${magnitude(paramsText.length)}`), exact };
}

/** The kind of a transaction or declaration of so many bytes that is looked at before it is taken. */
export function submissionKind(kind: "validate" | "prepare", sizeBytes: number): WorkKind {
  return { kind: `${kind} ${magnitude(sizeBytes)}`, exact: "" };
}

function kindOf(method: string, params: unknown, classHashAt: ClassHashAt): string | undefined {
  switch (method) {
    case "call":
      return entryPoint(method, member(params, 0, "request"), "contract_address", classHashAt);
    case "estimateMessageFee":
      return entryPoint(method, member(params, 0, "message"), "to_address", classHashAt);
    // The same calls and classes, asked for at the feeder gateway.
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

/** Classes are written alike, whoever asks for them. */
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

/** Felts stand in hexadecimal: in decimal they take several times as long to write. */
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

/** How often a number can be halved: numbers of one magnitude count as alike. */
function magnitude(count: number): number {
  return Math.ceil(Math.log2(count + 1));
}

/** A parameter by position or name, or a member of one. */
function member(of: unknown, index: number, name: string): unknown {
  if (Array.isArray(of)) return of[index];
  if (typeof of !== "object" || of === null || !Object.hasOwn(of, name)) return undefined;
  return (of as Readonly<Record<string, unknown>>)[name];
}

/** However it is written: `0x1` and `0x01` are one. */
function felt(value: unknown): Felt | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)
    ? BigInt(value)
    : undefined;
}

function paramsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever decodes the parameters says what is wrong with them.
    return undefined;
  }
}
