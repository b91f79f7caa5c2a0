import { type Felt, hexFromFelt } from "#base/primitives/index.ts";

/** Filter and page of an event search at the origin. */
export interface OriginEventQuery {
  readonly fromBlock: number;
  /** Last block searched, at most the fork block. */
  readonly toBlock: number;
  /** Emitting contracts; empty matches any. */
  readonly addresses: readonly Felt[];
  /** Accepted keys for each position; an empty list matches any key. */
  readonly keys: readonly (readonly Felt[])[];
  /** Continuation token of the last page; `null` for the first page. */
  readonly token: string | null;
  /** Maximum number of events of the page. */
  readonly chunkSize: number;
}

/**
 * One value of a fork's origin. Block numbers are at most the fork block, so the value of a query never
 * changes, except of `l1Accepted`.
 */
export type OriginQuery =
  | {
      readonly kind: "storage";
      readonly block: number;
      readonly address: Felt;
      readonly key: Felt;
    }
  /** Number of the last block up to `block` that changed a variable, where the origin's version reports it. */
  | {
      readonly kind: "lastUpdate";
      readonly block: number;
      readonly address: Felt;
      readonly key: Felt;
    }
  | { readonly kind: "nonce" | "classHash"; readonly block: number; readonly address: Felt }
  | { readonly kind: "class"; readonly block: number; readonly classHash: Felt }
  | { readonly kind: "block" | "stateDiff" | "traces"; readonly block: number }
  | { readonly kind: "numberByHash"; readonly blockHash: Felt }
  | { readonly kind: "locate" | "trace"; readonly transactionHash: Felt }
  | { readonly kind: "messages"; readonly l1TransactionHash: bigint }
  | ({ readonly kind: "events" } & OriginEventQuery)
  | { readonly kind: "proof"; readonly block: number; readonly paramsText: string }
  | { readonly kind: "l1Accepted" };

/** Query for one felt of the state of a contract. */
export type SlotQuery = Extract<OriginQuery, { readonly kind: "storage" | "nonce" | "classHash" }>;

/** Name of a kind of {@link OriginQuery}. */
export type OriginQueryKind = OriginQuery["kind"];

/**
 * Whether a value says that the origin's node does not know a continuation token, or does not prove a block.
 * Such a value is not kept: another node of the origin may return one.
 */
export function isLackOfNode({ kind }: OriginQuery, value: Uint8Array | null): boolean {
  return (kind === "events" || kind === "proof") && value === null;
}

/**
 * Whether the value of a query is only kept within the size limit of the file: clients can cause any number of them.
 * The only other one changes with time.
 */
export function isLimited({ kind }: OriginQuery): boolean {
  return kind !== "l1Accepted";
}

/**
 * Returns the text that identifies a query in caches, errors and logs: its kind, then its parameters,
 * separated by spaces.
 */
export function originQueryText(query: OriginQuery): string {
  return [query.kind, ...parametersOf(query)].join(" ");
}

function parametersOf(query: OriginQuery): readonly (string | number)[] {
  switch (query.kind) {
    case "storage":
    case "lastUpdate":
      return [query.block, hexFromFelt(query.address), hexFromFelt(query.key)];
    case "nonce":
    case "classHash":
      return [query.block, hexFromFelt(query.address)];
    case "class":
      return [query.block, hexFromFelt(query.classHash)];
    case "block":
    case "stateDiff":
    case "traces":
      return [query.block];
    case "numberByHash":
      return [hexFromFelt(query.blockHash)];
    case "locate":
    case "trace":
      return [hexFromFelt(query.transactionHash)];
    case "messages":
      return [`0x${query.l1TransactionHash.toString(16)}`];
    case "events":
      return eventParameters(query);
    case "proof":
      return [query.block, query.paramsText];
    case "l1Accepted":
      return [];
  }
}

function eventParameters(query: OriginEventQuery): readonly (string | number)[] {
  const { fromBlock, toBlock, addresses, keys, token, chunkSize } = query;
  const listOf = (felts: readonly Felt[]): string => felts.map(hexFromFelt).join(",");
  return [
    fromBlock,
    toBlock,
    listOf(addresses),
    keys.map(listOf).join(";"),
    chunkSize,
    token ?? "",
  ];
}
