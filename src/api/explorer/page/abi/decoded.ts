/** Value decoded for display. */
export interface Decoded {
  /** Name of the parameter or member; empty in lists. */
  readonly name: string;
  readonly type: string;
  /** `raw` for felts that could not be decoded. */
  readonly kind: "scalar" | "address" | "class" | "text" | "list" | "record" | "variant" | "raw";
  /** Decimal integer, other scalar in hex, text, or name of the variant; a summary for lists and records. */
  readonly text: string;
  readonly children: readonly Decoded[];
  /** Position of its first felt, and of the felt after its last one. */
  readonly start: number;
  readonly end: number;
  /** Reason why the value is wrong or incomplete; `null` for a complete value. */
  readonly problem: string | null;
}

/** Result of decoding a list of felts. */
export interface DecodedList {
  /** The last one may be incomplete. */
  readonly values: readonly Decoded[];
  /** Felts after the last value. */
  readonly rest: readonly string[];
  /** First thing that does not fit; `null` if all felts were decoded. */
  readonly problem: string | null;
}
