import { feltText, hexOf, isFelt, FIELD_PRIME } from "../abi/felt.ts";
import { shortStringFelt } from "../abi/scalar-text.ts";
import { selectorOf } from "../abi/selector.ts";

/** Request of JSON-RPC that succeeds if the subject exists. */
export interface SearchCall {
  readonly method: string;
  readonly params: Readonly<Record<string, string | Readonly<Record<string, string | number>>>>;
}

/** Kinds of subjects that have a view; `l1` is a transaction on L1 that sent messages to this chain. */
export type SubjectKind = "block" | "transaction" | "contract" | "class" | "l1";

/** Possible meaning of a searched text. */
export interface SearchLookup {
  readonly kind: SubjectKind | "name" | "text" | "selector";
  /** Block number, hash, address or selector; the name itself for `name`. */
  readonly id: string;
  /** Request that says whether it exists; `null` for meanings that need no request. */
  readonly call: SearchCall | null;
}

/** Longest text that is searched, in characters. */
const MAX_LENGTH = 200;
/** State that the node answers from, blocks in production included. */
const AT = "pre_confirmed";

/**
 * Returns the possible meanings of a searched text, the most likely first. `name` means labels and known contracts;
 * `text` the felt of a short string, `selector` for that of a function's or event's name.
 */
export function lookupsOf(searched: string): readonly SearchLookup[] {
  const text = searched.trim();
  if (text === "" || text.length > MAX_LENGTH) return [];
  const digits = text.replace(/[,_\s]/g, "");
  if (/^\d+$/.test(digits)) return numberLookups(digits);
  if (/^0x/i.test(text)) return isFelt(text) ? hashLookups(feltText(text)) : [];
  const name: SearchLookup = { kind: "name", id: text, call: null };
  const felt = shortStringFelt(text.replace(/^'(.*)'$/s, "$1"));
  return [
    name,
    ...(/^[A-Za-z_]\w*$/.test(text)
      ? [{ kind: "selector", id: selectorOf(text), call: null } as const]
      : []),
    ...(felt === undefined ? [] : [{ kind: "text", id: hexOf(felt), call: null } as const]),
  ];
}

function numberLookups(digits: string): readonly SearchLookup[] {
  const name: SearchLookup = { kind: "name", id: digits, call: null };
  const number = Number(digits);
  if (Number.isSafeInteger(number)) {
    return [
      { kind: "block", id: String(number), call: existenceOf("block", String(number)) },
      name,
    ];
  }
  const felt = BigInt(digits);
  return felt < FIELD_PRIME ? [...hashLookups(hexOf(felt)), name] : [name];
}

function hashLookups(felt: string): readonly SearchLookup[] {
  const kinds = ["transaction", "block", "contract", "class", "l1"] as const;
  return [
    ...kinds.map((kind) => ({ kind, id: felt, call: existenceOf(kind, felt) })),
    { kind: "selector", id: felt, call: null },
  ];
}

/** Returns the request that succeeds if a subject with this hash, address or block number exists. */
export function existenceOf(kind: SubjectKind, felt: string): SearchCall {
  switch (kind) {
    case "block":
      return blockCall(/^\d+$/.test(felt) ? { block_number: Number(felt) } : { block_hash: felt });
    case "transaction":
      return { method: "starknet_getTransactionByHash", params: { transaction_hash: felt } };
    case "l1":
      return { method: "starknet_getMessagesStatus", params: { transaction_hash: felt } };
    case "contract":
      return {
        method: "starknet_getClassHashAt",
        params: { block_id: AT, contract_address: felt },
      };
    case "class":
      return {
        method: "starknet_getClass",
        params: { block_id: AT, class_hash: felt },
      };
  }
}

function blockCall(block_id: Readonly<Record<string, string | number>>): SearchCall {
  return { method: "starknet_getBlockTransactionCount", params: { block_id } };
}
