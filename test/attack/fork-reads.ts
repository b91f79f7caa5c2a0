import { hexFromFelt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import type { SpreadTransfer } from "#test/helpers/fork/spread-origin.ts";
import type { Question } from "#test/helpers/fork/question.ts";
import { STRK } from "#test/helpers/tokens.ts";

const INTERNAL_ERROR = -32_603;

/** Maximum length of a response in a fault. */
const SHOWN = 400;

/** Reads of one transfer's values, one for each kind of value. */
export function readsOf(transfer: SpreadTransfer, forkBlock: number): readonly Question[] {
  const at = { block_number: forkBlock };
  const balance = {
    contract_address: STRK,
    entry_point_selector: hexFromFelt(selectorFromName("balance_of")),
    calldata: [transfer.recipient],
  };
  const block_id = { block_number: transfer.block };
  const key = hexFromFelt(balanceKey(BigInt(transfer.recipient)));
  return [
    { method: "call", params: [balance, at] },
    { method: "call", params: [balance, block_id] },
    { method: "getNonce", params: [at, transfer.recipient] },
    { method: "getStorageAt", params: [STRK, key, at] },
    { method: "getStorageAt", params: [STRK, key, block_id] },
    { method: "getBlockWithReceipts", params: [block_id] },
    { method: "getStateUpdate", params: [block_id] },
    { method: "getTransactionReceipt", params: [transfer.hash] },
    { method: "traceTransaction", params: [transfer.hash] },
    {
      method: "getEvents",
      params: [{ from_block: block_id, to_block: block_id, chunk_size: 10 }],
    },
  ];
}

/** Result of one read. */
export interface ReadOutcome {
  readonly question: Question;
  readonly answer: Awaited<ReturnType<typeof rawCall>>;
  readonly ms: number;
}

/** Reads at a time: the proxy of the same process needs connections too, whose number is limited to 256. */
const CONCURRENT = 100;

/** Sends reads concurrently. */
export async function sendReads(
  url: string,
  questions: readonly Question[],
): Promise<ReadOutcome[]> {
  const outcomes: ReadOutcome[] = [];
  for (let start = 0; start < questions.length; start += CONCURRENT) {
    const part = questions.slice(start, start + CONCURRENT);
    outcomes.push(...(await Promise.all(part.map((question) => sendRead(url, question)))));
  }
  return outcomes;
}

async function sendRead(url: string, question: Question): Promise<ReadOutcome> {
  const startMs = performance.now();
  const answer = await rawCall(url, `starknet_${question.method}`, question.params);
  return { question, answer, ms: performance.now() - startMs };
}

/** What is wrong with the outcome of a read whose right response is known. */
export function faultsOf(
  { question, answer, ms }: ReadOutcome,
  expected: {
    readonly answer: ReadOutcome["answer"];
    /** Whether the read may, or must, fail. */
    readonly outcome: "values" | "errors";
    /** Name of the origin in errors. */
    readonly origin: string;
    readonly boundMs: number;
  },
): readonly string[] {
  const { method } = question;
  const late = ms > expected.boundMs ? [`${method} took ${ms.toFixed(0)} ms`] : [];
  if (isEqual(answer, expected.answer)) {
    // An error of the origin may be the right response, for example for an unknown contract.
    const isUnneeded = expected.outcome === "errors" && answer.error === undefined;
    return isUnneeded ? [...late, `${method} did not need the origin`] : late;
  }
  const text = JSON.stringify(answer).slice(0, SHOWN);
  if (answer.error === undefined) return [...late, `${method} is wrong: ${text}`];
  if (expected.outcome === "values") return [...late, `${method} failed: ${text}`];
  const isClear = answer.error.code === INTERNAL_ERROR && text.includes(expected.origin);
  return isClear ? late : [...late, `${method} has an unclear error: ${text}`];
}

function isEqual(one: ReadOutcome["answer"], other: ReadOutcome["answer"]): boolean {
  return Bun.deepEquals([one.result, one.error], [other.result, other.error]);
}
