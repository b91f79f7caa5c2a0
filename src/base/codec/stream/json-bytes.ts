/** ASCII codes of the characters that structure JSON, and of the first characters of its tokens. */
export const BYTES = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  colon: 0x3a,
  openArray: 0x5b,
  /** Starts an escape sequence within a string. */
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  /** First letters of `null`, `true` and `false`. */
  littleN: 0x6e,
  littleT: 0x74,
  littleF: 0x66,
} as const;
