import type { RunningChain } from "../binary.ts";

/** JSON-RPC read that is sent to two nodes for comparison. */
export interface Question {
  readonly method: string;
  readonly params: unknown;
}

/** Below the default of `--rpc-max-batch`. */
const BATCH = 40;

/** Maximum length of a response in a difference. */
const SHOWN = 400;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/**
 * Responses of a node in order, without envelopes.
 *
 * @param path - of the specification version
 */
export async function answersTo(
  { url }: Pick<RunningChain, "url">,
  path: string,
  questions: readonly Question[],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let start = 0; start < questions.length; start += BATCH) {
    const part = questions.slice(start, start + BATCH);
    const body = part.map(({ method, params }, id) => ({
      jsonrpc: "2.0",
      id,
      method: `starknet_${method}`,
      params,
    }));
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const replies = (await (await fetch(url + path, request)).json()) as readonly Answer[];
    const byId = new Map(replies.map(({ id, result, error }) => [id, result ?? { error }]));
    answers.push(...part.map((_, id) => byId.get(id)));
  }
  return answers;
}

/** Reads that two nodes answer differently, as texts. */
export async function differences(
  [one, other]: readonly [Pick<RunningChain, "url">, Pick<RunningChain, "url">],
  path: string,
  questions: readonly Question[],
): Promise<string[]> {
  const ours = await answersTo(one, path, questions);
  const theirs = await answersTo(other, path, questions);
  return questions.flatMap(({ method, params }, index) => {
    const [left, right] = [ours[index], theirs[index]];
    if (Bun.deepEquals(left, right)) return [];
    const texts = [left, right].map((answer) => firstDifference(answer, left, right));
    return [`${method} ${JSON.stringify(params)}: ${texts.join(" or ")}`];
  });
}

/** The part of a response around the first place where two responses differ. */
function firstDifference(answer: unknown, left: unknown, right: unknown): string {
  const [a, b] = [JSON.stringify(left) ?? "", JSON.stringify(right) ?? ""];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (JSON.stringify(answer) ?? "").slice(Math.max(0, at - 80), at + SHOWN);
}
