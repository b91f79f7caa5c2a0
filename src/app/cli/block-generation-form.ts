import { parseDurationMs } from "#protocol/config/index.ts";

/** When a development chain makes blocks; a number is the seconds from one to the next. */
export type BlockGeneration = "transaction" | "demand" | number;

/** What {@link readBlockGeneration} expects. */
export const BLOCK_GENERATION_FORM = "transaction, demand or a number of seconds";

/** Reads starknet-devnet's option of the same name. */
export function readBlockGeneration(text: string): BlockGeneration | undefined {
  if (text === "transaction" || text === "demand") return text;
  const seconds = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  return seconds > 0 && parseDurationMs(`${seconds}s`) !== undefined ? seconds : undefined;
}
