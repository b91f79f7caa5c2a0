import { isAddress } from "viem/utils";
import { ADDRESS_BOUND, type Felt, feltFromHex } from "#base/primitives/index.ts";
import { CURVE_ORDER } from "#protocol/crypto/index.ts";

/** Order of secp256k1; private keys of L1 are in `[1, SECP256K1_ORDER)`. Source: SEC 2. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Maximum configurable wait, seconds. */
const MAX_WAIT_SECONDS = 86_400;

/** Hexadecimal text with `0x`, as used by L1 tools. */
export type Hex = `0x${string}`;

/** Parses a chain id. Hexadecimal text is refused, since it would be a misplaced key or address. */
export function readChainId(text: string): string | undefined {
  return /^(?!0[xX])[A-Za-z0-9][\w.-]{0,30}$/.test(text) ? text : undefined;
}

/** Parses a chain id of L1. */
export function readL1ChainId(text: string): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : undefined;
}

/** Parses an `http` or `https` address. */
export function readUrl(text: string): string | undefined {
  const protocol = URL.canParse(text) ? new URL(text).protocol : "";
  return protocol === "http:" || protocol === "https:" ? text : undefined;
}

/** Parses a private key of L1. */
export function readL1Key(text: string): Hex | undefined {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > 0n && value < SECP256K1_ORDER ? (text.toLowerCase() as Hex) : undefined;
}

/** Parses a private key of the Stark curve. */
export function readL2Key(text: string): Felt | undefined {
  const value = /^0x[0-9a-fA-F]{1,64}$/.test(text) ? BigInt(text) : 0n;
  return value > 0n && value < CURVE_ORDER ? value : undefined;
}

/** Parses an address of L1; returns it in lower case. */
export function readL1Address(text: string): Hex | undefined {
  const isRight = isAddress(text, { strict: text !== text.toLowerCase() });
  return isRight && BigInt(text) !== 0n ? (text.toLowerCase() as Hex) : undefined;
}

/**
 * Parses an address of L2. Text in the exact form of an L1 address is refused: no real L2 address is that
 * low.
 */
export function readL2Address(text: string): Felt | undefined {
  const value = feltFromHex(text) ?? 0n;
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  return value > 0n && value < ADDRESS_BOUND ? value : undefined;
}

/** Parses a version name of the OS configuration. */
export function readVersionName(text: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9]{0,30}$/.test(text) ? text : undefined;
}

/** Parses a duration that was given in seconds; returns milliseconds. */
export function readWaitMs(text: string): number | undefined {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= MAX_WAIT_SECONDS ? seconds * 1000 : undefined;
}
