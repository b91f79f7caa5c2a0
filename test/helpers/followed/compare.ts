import type { RunningNode } from "../binary.ts";
import { type Question, VERSION_PATHS } from "./questions.ts";

/** An answer that two nodes give differently. */
export interface Unlike {
  readonly path: string;
  readonly question: Question;
  readonly left: unknown;
  readonly right: unknown;
}

/** Questions that are asked at a time. */
const AT_ONCE = 16;

/**
 * Asks two nodes the same, in all versions of the specification.
 *
 * @returns what they answer differently
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

/** The answer without what is the request's: its result, or its error. */
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
