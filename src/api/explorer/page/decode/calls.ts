import { feltText, isFelt } from "../abi/felt.ts";
import { selectorOf } from "../abi/selector.ts";

export { feltsOf } from "../abi/felt.ts";

/** Call of a multicall. */
export interface Call {
  readonly to: string;
  readonly selector: string;
  readonly calldata: readonly string[];
}

/** Call with the calls that its calldata contains. */
export interface NestedCall extends Call {
  /** Calls of an account that executes from outside; empty for other calls. */
  readonly calls: readonly NestedCall[];
}

/** Longest list of calls that is read, with those inside. */
const MAX_CALLS = 5_000;
const MAX_DEPTH = 8;

/**
 * Felts before the calls in calldata of SNIP-9: caller, nonce, execute after, execute before. The nonce of version 3 has
 * two felts.
 */
const OUTSIDE: readonly (readonly [name: string, before: number])[] = [
  ["execute_from_outside", 4],
  ["execute_from_outside_v2", 4],
  ["execute_from_outside_v3", 5],
];

let outside: ReadonlyMap<string, number> | undefined;

/**
 * Returns the calls of an account's `__execute__` calldata; `undefined` if it has neither form.
 *
 * Cairo 1: number of calls, then each as target, selector, length, calldata. Cairo 0: number of calls, then each as
 * target, selector, offset, length; then the length of all calldata, the calldata, and in version 0 the nonce.
 */
export function callsOf(calldata: readonly string[]): readonly Call[] | undefined {
  const cairo1 = cairo1Calls(calldata, 0);
  return cairo1?.end === calldata.length ? cairo1.calls : cairo0Calls(calldata);
}

/** Returns the calls of an account's `__execute__` calldata with the calls inside them, by their selectors. */
export function nestedCallsOf(calldata: readonly string[]): readonly NestedCall[] | undefined {
  const budget = { left: MAX_CALLS };
  return callsOf(calldata)?.map((call) => nested(call, 0, budget));
}

/** Returns the calls that a call executes from outside; `undefined` for other calls. */
export function outsideCallsOf({
  selector,
  calldata,
}: Pick<Call, "selector" | "calldata">): readonly Call[] | undefined {
  outside ??= new Map(OUTSIDE.map(([name, before]) => [selectorOf(name), before]));
  const before = outside.get(feltText(selector));
  if (before === undefined) return undefined;
  const read = cairo1Calls(calldata, before);
  if (read === undefined) return undefined;
  // The signature follows, and nothing else.
  const signature = lengthAt(calldata, read.end);
  const isComplete = signature !== undefined && read.end + 1 + signature === calldata.length;
  return isComplete ? read.calls : undefined;
}

function nested(call: Call, depth: number, budget: { left: number }): NestedCall {
  budget.left--;
  const inner = depth < MAX_DEPTH && budget.left > 0 ? (outsideCallsOf(call) ?? []) : [];
  return { ...call, calls: inner.map((one) => nested(one, depth + 1, budget)) };
}

function cairo1Calls(
  calldata: readonly string[],
  start: number,
): { readonly calls: readonly Call[]; readonly end: number } | undefined {
  const count = lengthAt(calldata, start);
  if (count === undefined || count > MAX_CALLS) return undefined;
  const calls: Call[] = [];
  let at = start + 1;
  for (let i = 0; i < count; i++) {
    const [to, selector] = [calldata[at], calldata[at + 1]];
    const length = lengthAt(calldata, at + 2);
    if (to === undefined || selector === undefined || length === undefined) return undefined;
    const end = at + 3 + length;
    if (end > calldata.length) return undefined;
    calls.push({ to, selector, calldata: calldata.slice(at + 3, end) });
    at = end;
  }
  return { calls, end: at };
}

function cairo0Calls(calldata: readonly string[]): readonly Call[] | undefined {
  const count = lengthAt(calldata, 0);
  if (count === undefined || count > MAX_CALLS) return undefined;
  const start = 1 + 4 * count;
  const total = lengthAt(calldata, start);
  if (total === undefined) return undefined;
  const after = calldata.length - (start + 1 + total);
  if (after !== 0 && after !== 1) return undefined;
  const data = calldata.slice(start + 1, start + 1 + total);
  const calls: Call[] = [];
  let budget = calldata.length + MAX_CALLS;
  for (let i = 0; i < count; i++) {
    const [to = "", selector = ""] = calldata.slice(1 + 4 * i, 3 + 4 * i);
    const offset = lengthAt(calldata, 3 + 4 * i);
    const length = lengthAt(calldata, 4 + 4 * i);
    if (offset === undefined || length === undefined || offset + length > data.length) {
      return undefined;
    }
    // Calls may share felts; hostile ones would multiply them.
    budget -= length;
    if (budget < 0) return undefined;
    calls.push({ to, selector, calldata: data.slice(offset, offset + length) });
  }
  return calls;
}

function lengthAt(felts: readonly string[], index: number): number | undefined {
  const felt = felts[index];
  return isFelt(felt) && felt.length <= 10 ? Number(felt) : undefined;
}
