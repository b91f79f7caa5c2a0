import type { Felt } from "#base/primitives/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";

/** A running call, as far as the reads of other calls of its entry point depend on it. */
export interface RunningCall {
  /** Address whose storage it uses. */
  readonly self: Felt;
  readonly caller: Felt;
  /** First felts of its calldata. */
  readonly given: readonly Felt[];
  /** Keys of the variables that it has read in this storage, by those of their values that may be addresses. */
  readonly addresses: ReadonlyMap<Felt, Felt>;
}

/** A felt that a call uses, described so that it means the like in other calls of the entry point. */
export type Place =
  | { readonly kind: "self" | "caller" }
  /** A felt of the calldata. */
  | { readonly kind: "given"; readonly index: number }
  /** Value of an own storage variable. */
  | { readonly kind: "stored"; readonly key: Felt }
  | { readonly kind: "same"; readonly value: Felt };

/** A storage key, described so that it means the like in other calls of the entry point. */
export type KeyPlace =
  | { readonly kind: "same"; readonly value: Felt }
  /** Entry of a mapping. */
  | {
      readonly kind: "entry";
      readonly name: MappingName;
      readonly of: readonly Place[];
      /** 1 for the second felt of the entry. */
      readonly offset: 0n | 1n;
    };

/** Mappings of the widespread ERC-20 classes: from an account, and from an owner and a spender. */
type MappingName = "ERC20_balances" | "ERC20_allowances";

/** Hashes are hardly ever below it, and amounts hardly ever above: felts from it on may be addresses. */
const MIN_ADDRESS = 1n << 200n;

/** Maximum number of addresses whose entries a key is compared with: each takes hashes. */
const MAX_ADDRESSES = 6;

/** Whether a felt may be an address. */
export function mayBeAddress(felt: Felt): boolean {
  return felt >= MIN_ADDRESS;
}

/** Describes a felt that a call uses. */
export function placeOf(value: Felt, { self, caller, given, addresses }: RunningCall): Place {
  if (value === self) return { kind: "self" };
  if (!mayBeAddress(value)) return { kind: "same", value };
  if (value === caller) return { kind: "caller" };
  const index = given.indexOf(value);
  if (index >= 0) return { kind: "given", index };
  const key = addresses.get(value);
  return key === undefined ? { kind: "same", value } : { kind: "stored", key };
}

/** Describes a storage key that a call reads. */
export function keyPlaceOf(key: Felt, call: RunningCall): KeyPlace {
  if (mayBeAddress(key)) {
    for (const entry of entriesOf(call)) {
      const offset = key - entry.key;
      if (offset === 0n || offset === 1n) {
        return { kind: "entry", name: entry.name, of: entry.of, offset };
      }
    }
  }
  return { kind: "same", value: key };
}

/** Returns the felt that a description means in a call; `undefined` if it is not known yet. */
export function feltAt(
  place: Place,
  { self, caller, given }: RunningCall,
  storedAt: (key: Felt) => Felt | undefined,
): Felt | undefined {
  switch (place.kind) {
    case "self":
      return self;
    case "caller":
      return caller;
    case "given":
      return given[place.index];
    case "stored":
      return storedAt(place.key);
    case "same":
      return place.value;
  }
}

/** Returns the storage key that a description means in a call; `undefined` if it is not known yet. */
export function keyAt(
  place: KeyPlace,
  call: RunningCall,
  storedAt: (key: Felt) => Felt | undefined,
): Felt | undefined {
  if (place.kind === "same") return place.value;
  const felts = place.of.map((each) => feltAt(each, call, storedAt));
  const known = felts.flatMap((felt) => felt ?? []);
  if (known.length < felts.length) return undefined;
  return storageVariableKey(place.name, ...known) + place.offset;
}

/** Returns a text that is the same for equal descriptions only. */
export function placeText(place: Place | KeyPlace): string {
  switch (place.kind) {
    case "self":
    case "caller":
      return place.kind;
    case "given":
      return `given ${place.index}`;
    case "stored":
      return `stored ${place.key}`;
    case "same":
      return String(place.value);
    case "entry":
      return `${place.name}(${place.of.map(placeText).join(",")})+${place.offset}`;
  }
}

/** Entries of the known mappings for the addresses that a call names. */
function* entriesOf(call: RunningCall) {
  const named = [call.self, call.caller, ...call.given, ...call.addresses.keys()];
  const addresses = [...new Set(named.filter(mayBeAddress))].slice(0, MAX_ADDRESSES);
  for (const first of addresses) {
    const of = [placeOf(first, call)];
    yield { name: "ERC20_balances", of, key: storageVariableKey("ERC20_balances", first) } as const;
  }
  for (const owner of addresses) {
    for (const spender of addresses) {
      if (owner === spender) continue;
      const of = [placeOf(owner, call), placeOf(spender, call)];
      const key = storageVariableKey("ERC20_allowances", owner, spender);
      yield { name: "ERC20_allowances", of, key } as const;
    }
  }
}
