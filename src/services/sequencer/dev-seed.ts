/** Seed of the keys of development accounts. */
export interface DevSeed {
  /** Program that derives the accounts: this one, or starknet-devnet with the same number. */
  readonly accounts: "appchain" | "starknet-devnet";
  /** Unsigned integer of 64 bits; of 32 bits for starknet-devnet. */
  readonly number: bigint;
}

const PREFIX = "starknet-devnet:";

/** Returns the seed as a chain's metadata stores it: the number, prefixed with the name of the other program. */
export function devSeedText({ accounts, number }: DevSeed): string {
  return accounts === "appchain" ? String(number) : `${PREFIX}${number}`;
}

/** Parses the text of {@link devSeedText}. */
export function devSeedFromText(text: string): DevSeed {
  return text.startsWith(PREFIX)
    ? { accounts: "starknet-devnet", number: BigInt(text.slice(PREFIX.length)) }
    : { accounts: "appchain", number: BigInt(text) };
}
