import type { Felt } from "#base/primitives/index.ts";

/** Felts of one call before its arguments: contract, selector, number of arguments. */
const CALL_HEAD = 3;

/** Felts of one entry of a Cairo 0 call array: contract, selector, offset, number of arguments. */
const LEGACY_ENTRY = 4;

/** A call in the calldata of an account's `__execute__`. */
export interface AccountCall {
  readonly to: Felt;
  readonly selector: Felt;
  /** Index in the whole calldata of the first argument. Calls of Cairo 0 accounts may share arguments. */
  readonly start: number;
  /** Index in the whole calldata behind the last argument. */
  readonly end: number;
}

/**
 * Returns the calls in the calldata of an account's `__execute__`, in order.
 *
 * The account's class is not known here, so the calldata has to fit one of the two usual forms completely:
 * `Array<Call>` of Cairo 1 accounts, or the call array of Cairo 0 accounts, which is followed by the length of all
 * arguments, the arguments, and from old accounts the nonce.
 *
 * @returns `undefined` when the calldata has neither form
 */
export function accountCalls(calldata: readonly Felt[]): readonly AccountCall[] | undefined {
  const [count] = calldata;
  // Each call has at least as many felts as its head.
  if (count === undefined || count * BigInt(CALL_HEAD) > BigInt(calldata.length)) return undefined;
  return spanCalls(calldata, Number(count)) ?? legacyCalls(calldata, Number(count));
}

function spanCalls(calldata: readonly Felt[], count: number): readonly AccountCall[] | undefined {
  const calls: AccountCall[] = [];
  let at = 1;
  for (let i = 0; i < count; i++) {
    const [to, selector, length] = calldata.slice(at, at + CALL_HEAD);
    if (to === undefined || selector === undefined || length === undefined) return undefined;
    if (length > BigInt(calldata.length)) return undefined;
    const start = at + CALL_HEAD;
    at = start + Number(length);
    calls.push({ to, selector, start, end: at });
  }
  return at === calldata.length ? calls : undefined;
}

function legacyCalls(calldata: readonly Felt[], count: number): readonly AccountCall[] | undefined {
  const lengthAt = 1 + count * LEGACY_ENTRY;
  const dataLength = calldata[lengthAt];
  const rest = BigInt(calldata.length - lengthAt - 1);
  if (dataLength === undefined || (rest !== dataLength && rest !== dataLength + 1n)) {
    return undefined;
  }
  const calls: AccountCall[] = [];
  for (let at = 1; at < lengthAt; at += LEGACY_ENTRY) {
    const [to, selector, offset, length] = calldata.slice(at, at + LEGACY_ENTRY);
    if (to === undefined || selector === undefined) return undefined;
    if (offset === undefined || length === undefined || offset + length > dataLength) {
      return undefined;
    }
    const start = lengthAt + 1 + Number(offset);
    calls.push({ to, selector, start, end: start + Number(length) });
  }
  return calls;
}
