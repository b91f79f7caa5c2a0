/** What the keys of development accounts are made of. */
export interface DevSeed {
  /** Whose accounts they are: those of this program, or those that starknet-devnet makes for the number. */
  readonly accounts: "appchain" | "starknet-devnet";
  /** 64 bits; of starknet-devnet 32. */
  readonly number: bigint;
}

const PREFIX = "starknet-devnet:";

/** The seed as the metadata of a chain has it: the number, after the name of another program. */
export function devSeedText({ accounts, number }: DevSeed): string {
  return accounts === "appchain" ? String(number) : `${PREFIX}${number}`;
}

/** Reads the text of {@link devSeedText}. */
export function devSeedFromText(text: string): DevSeed {
  return text.startsWith(PREFIX)
    ? { accounts: "starknet-devnet", number: BigInt(text.slice(PREFIX.length)) }
    : { accounts: "appchain", number: BigInt(text) };
}
