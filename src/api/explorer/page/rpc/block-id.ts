import type { Json } from "./json.ts";

/** Returns the `block_id` of a text: a number, a hash or a tag. */
export function blockIdOf(text: string): Json {
  if (/^[0-9]{1,15}$/.test(text)) return { block_number: Number(text) };
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) ? { block_hash: text } : text;
}
