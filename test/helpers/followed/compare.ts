import type { RunningNode } from "../binary.ts";
import { type Question, VERSION_PATHS } from "./questions.ts";

/** Request that two nodes answer differently, with both responses. */
export interface Unlike {
  readonly path: string;
  readonly question: Question;
  readonly left: unknown;
  readonly right: unknown;
}

/** Number of concurrent requests. */
const AT_ONCE = 16;

/**
 * Sends the same requests to two nodes, in all versions of the specification.
 *
 * @returns the different responses
 */
export async function compareNodes(
  left: Pick<RunningNode, "url">,
  right: Pick<RunningNode, "url">,
  questions: readonly Question[],
): Promise<Unlike[]> {
  const unlike: Unlike[] = [];
  const all = VERSION_PATHS.flatMap((path) => questions.map((question) => ({ path, question })));
  let next = 0;
  const work = async (): Promise<void> => {
    for (let each = all[next++]; each !== undefined; each = all[next++]) {
      const [ours, theirs] = await Promise.all([answer(left, each), answer(right, each)]);
      if (!Bun.deepEquals(ours, theirs, true)) unlike.push({ ...each, left: ours, right: theirs });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return unlike;
}

/** Result or error of a response, without the request's members. */
async function answer(
  { url }: Pick<RunningNode, "url">,
  { path, question }: Pick<Unlike, "path" | "question">,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...question }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  return error === undefined ? { result } : { error };
}
