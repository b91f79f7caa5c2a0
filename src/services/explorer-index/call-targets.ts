import type { Felt } from "#base/primitives/index.ts";

/** Felts of one call before its calldata: contract, selector, length. */
const CALL_HEAD = 3;

/** Felts of one entry of a Cairo 0 call array: contract, selector, offset, length. */
const LEGACY_ENTRY = 4;

/**
 * Returns the contracts that the calldata of an account's `__execute__` calls, in order and with repetitions.
 *
 * The account's class is not known here, so the calldata has to fit one of the two usual forms completely:
 * `Array<Call>` of Cairo 1 accounts, or the call array of Cairo 0 accounts. Otherwise the result is empty.
 */
export function callTargets(calldata: readonly Felt[]): readonly Felt[] {
  const [count] = calldata;
  // Each call has at least as many felts as its head.
  if (count === undefined || count * BigInt(CALL_HEAD) > BigInt(calldata.length)) return [];
  return spanTargets(calldata, Number(count)) ?? legacyTargets(calldata, Number(count)) ?? [];
}

/** Reads `Array<Call>`; `undefined` for another form. */
function spanTargets(calldata: readonly Felt[], count: number): readonly Felt[] | undefined {
  const targets: Felt[] = [];
  let at = 1;
  for (let i = 0; i < count; i++) {
    const [target, , length] = calldata.slice(at, at + CALL_HEAD);
    if (target === undefined || length === undefined) return undefined;
    if (length > BigInt(calldata.length)) return undefined;
    targets.push(target);
    at += CALL_HEAD + Number(length);
  }
  return at === calldata.length ? targets : undefined;
}

/**
 * Reads the call array of a Cairo 0 account, then the length of all calldata, and the calldata. Old accounts
 * add the nonce. `undefined` for another form.
 */
function legacyTargets(calldata: readonly Felt[], count: number): readonly Felt[] | undefined {
  const lengthAt = 1 + count * LEGACY_ENTRY;
  const dataLength = calldata[lengthAt];
  const rest = BigInt(calldata.length - lengthAt - 1);
  if (dataLength === undefined || (rest !== dataLength && rest !== dataLength + 1n)) {
    return undefined;
  }
  const targets: Felt[] = [];
  for (let at = 1; at < lengthAt; at += LEGACY_ENTRY) {
    const [target, , offset, length] = calldata.slice(at, at + LEGACY_ENTRY);
    if (target === undefined || offset === undefined || length === undefined) return undefined;
    if (offset + length > dataLength) return undefined;
    targets.push(target);
  }
  return targets;
}
