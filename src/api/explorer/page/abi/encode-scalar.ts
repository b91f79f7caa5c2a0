import { AbiError } from "./abi-error.ts";
import { FIELD_PRIME } from "./felt.ts";
import type { FormValue } from "./form-text.ts";
import type { Scalar, Wide } from "./primitives.ts";
import { shortStringFelt } from "./scalar-text.ts";

/** Longest number, in characters: 512 bits have 155 decimal digits. */
const MAX_DIGITS = 160;

/**
 * Encodes a value of one felt.
 *
 * @throws {AbiError} when the value has another form or is out of range
 */
export function scalarFelt(scalar: Scalar, value: FormValue, place: string, type: string): bigint {
  if (scalar.kind === "bool") {
    const text = typeof value === "string" ? value.trim() : JSON.stringify(value);
    if (text === "true" || text === "1") return 1n;
    if (text === "false" || text === "0") return 0n;
    throw new AbiError(place, "expected true or false");
  }
  const number = numberOf(value, place, type);
  if (number < scalar.min || number > scalar.max) {
    throw new AbiError(place, `expected ${type} from ${scalar.min} to ${scalar.max}`);
  }
  return number < 0n ? number + FIELD_PRIME : number;
}

/**
 * Encodes an integer of several felts, from one number or from an object such as `{"low": 1, "high": 0}`.
 *
 * @throws {AbiError} when the value has another form or is out of range
 */
export function wideFelts(
  { limbs, bitsPerLimb }: Wide,
  value: FormValue,
  place: string,
  type: string,
): readonly bigint[] {
  const bits = BigInt(limbs * bitsPerLimb);
  const number = partsOf(value, limbs, bitsPerLimb, place) ?? numberOf(value, place, type);
  if (number < 0n || number >> bits !== 0n) {
    throw new AbiError(place, `expected ${type}, from 0 to 2^${bits} - 1`);
  }
  const mask = (1n << BigInt(bitsPerLimb)) - 1n;
  return Array.from({ length: limbs }, (_, i) => (number >> BigInt(bitsPerLimb * i)) & mask);
}

function partsOf(
  value: FormValue,
  limbs: number,
  bitsPerLimb: number,
  place: string,
): bigint | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const parts = Object.entries(value as { readonly [name: string]: FormValue });
  let number = 0n;
  for (let i = 0; i < limbs; i++) {
    const names = limbs === 2 ? ["low", "high"] : [0, 1, 2, 3].map((at) => `limb${at}`);
    const [, part] = parts.find(([name]) => name === names[i]) ?? [];
    if (part === undefined || parts.length !== limbs) {
      throw new AbiError(place, `expected a number, or an object with ${names.join(", ")}`);
    }
    const limb = numberOf(part, `${place}.${names[i]}`, `u${bitsPerLimb}`);
    if (limb < 0n || limb >> BigInt(bitsPerLimb) !== 0n) {
      throw new AbiError(`${place}.${names[i]}`, `expected u${bitsPerLimb}`);
    }
    number += limb << BigInt(bitsPerLimb * i);
  }
  return number;
}

/** Reads a number in decimal or hex, or a short string in quotes. */
function numberOf(value: FormValue, place: string, type: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  const text = typeof value === "string" ? value.trim() : "";
  if (text.length <= MAX_DIGITS) {
    if (/^-?\d[\d_]*$/.test(text)) return BigInt(text.replaceAll("_", ""));
    if (/^0x[0-9a-f]+$/i.test(text)) return BigInt(text);
    if (/^-0x[0-9a-f]+$/i.test(text)) return -BigInt(text.slice(1));
    const [, , quoted] = /^(['"])(.*)\1$/s.exec(text) ?? [];
    const felt = quoted === undefined ? undefined : shortStringFelt(quoted);
    if (felt !== undefined) return felt;
  }
  throw new AbiError(place, `expected ${type}: 12, 0x1f, or 'text' of at most 31 characters`);
}
