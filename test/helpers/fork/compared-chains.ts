import { rawCall } from "../binary.ts";

/** A place where the responses of two chains differ. */
export interface Difference {
  /** The topic, the method, and the path of the member without indexes. */
  readonly place: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Maximum length of a value in a difference. */
const SHOWN = 300;

/** A response without its envelope. */
export type Answer = Awaited<ReturnType<typeof rawCall>>;

/** Sends requests to two chains, and collects the places where their responses differ. */
export class ComparedChains {
  readonly differences: Difference[] = [];
  /** First part of the place of each further difference. */
  topic = "";
  /** URLs of our chain and of the other one. */
  readonly urls: readonly [string, string];

  constructor(urls: readonly [string, string]) {
    this.urls = urls;
  }

  /** Sends a request to both. @returns our response and theirs */
  async ask(method: string, params: unknown = {}): Promise<readonly [Answer, Answer]> {
    const [ours, theirs] = await Promise.all([
      rawCall(this.urls[0], method, params),
      rawCall(this.urls[1], method, params),
    ]);
    this.compare(method, ours, theirs);
    return [ours, theirs];
  }

  /** Compares responses that were requested elsewhere. */
  compare(method: string, ours: Answer, theirs: Answer): void {
    const place = `${this.topic}: ${method.replace("starknet_", "")}`;
    this.#collect([ours.result, theirs.result], `${place} `);
    this.#collect([ours.error, theirs.error], `${place} error`);
  }

  #collect([ours, theirs]: readonly [unknown, unknown], place: string): void {
    if (Bun.deepEquals(ours, theirs)) return;
    if (isList(ours) && isList(theirs)) {
      for (const [name, ...pair] of pairsOf(ours, theirs)) this.#collect(pair, `${place}[${name}]`);
    } else if (isObject(ours) && isObject(theirs)) {
      for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
        this.#collect([ours[name], theirs[name]], `${place}.${name}`);
      }
    } else {
      this.differences.push({ place, ours: shown(ours), theirs: shown(theirs) });
    }
  }
}

type Pair = readonly [name: string, ours: unknown, theirs: unknown];

/**
 * Pairs the members of two lists: those of storage changes by their address or key, because their
 * order means nothing, others by their index.
 */
function pairsOf(ours: readonly unknown[], theirs: readonly unknown[]): readonly Pair[] {
  const left = keyed(ours);
  const right = keyed(theirs);
  if (left === undefined || right === undefined) {
    const longest = ours.length > theirs.length ? ours : theirs;
    return longest.map((_, i): Pair => ["", ours[i], theirs[i]]);
  }
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].map((key): Pair => [addressOf(left, key), left.get(key), right.get(key)]);
}

/** Members by the value that identifies them; `undefined` if they have none. */
function keyed(list: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  const entries = list.map((each): readonly [string, unknown] | undefined => {
    if (!isObject(each) || !("storage_entries" in each || ("key" in each && "value" in each))) {
      return undefined;
    }
    return [String(each["address"] ?? each["key"]), each];
  });
  return entries.every((each) => each !== undefined) ? new Map(entries) : undefined;
}

/** An address, which places name; nothing for a key, of which there are many. */
function addressOf(members: ReadonlyMap<string, unknown>, key: string): string {
  const [first] = members.values();
  return isObject(first) && "storage_entries" in first ? key : "";
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, SHOWN);
}
