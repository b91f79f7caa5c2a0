import type { HttpReply, HttpRequest, MainContext } from "#api/rpc/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { GatewayRoute } from "../../app.ts";
import type { FeederDeps } from "../deps.ts";
import { GatewayFault, malformed } from "../fault.ts";
import { longAnswer } from "../long-answer.ts";
import type { Query } from "../query.ts";
import { notModified, taggedReply } from "../reply.ts";
import { selectedBlock, type Selection, selectionOf } from "../selection.ts";
import { feederRoute } from "./route.ts";
import { classHashAt } from "./state.ts";

/** Routes of declared and compiled classes. */
export function classRoutes(deps: FeederDeps): readonly GatewayRoute[] {
  return [
    feederRoute("get_class_by_hash", (request, query) =>
      classReply(deps, request, query, "contractClass"),
    ),
    feederRoute("get_full_contract", async (request, query) => {
      const classHash = classHashAt(deps.context, query);
      const upTo = namedBlock(deps.context, selectionOf(query));
      const answer = await keptClass(deps, request, "contractClass", classHash, upTo);
      // The contract may be upgraded to another class.
      const tagged = { tag: classHash.toString(16), freshness: "revalidate" } as const;
      return notModified(request, tagged) ?? taggedReply(answer, tagged);
    }),
    feederRoute("get_compiled_class_by_class_hash", (request, query) =>
      classReply(deps, request, query, "compiledClass"),
    ),
  ];
}

/**
 * Returns a class. Its hash determines its content, so the response is immutable even if the declaring block
 * is reverted. Without a block parameter, classes declared in unaccepted blocks are found, too.
 */
async function classReply(
  deps: FeederDeps,
  request: HttpRequest,
  query: Query,
  name: string,
): Promise<HttpReply> {
  const classHash =
    query.felt("classHash", "Class hash", "OUT_OF_RANGE_CLASS_HASH") ??
    malformed("Missing classHash parameter");
  const upTo = namedBlock(deps.context, selectionOf(query));
  const tagged = { tag: classHash.toString(16), freshness: "immutable" } as const;
  const answer = await keptClass(deps, request, name, classHash, upTo);
  return notModified(request, tagged) ?? taggedReply(answer, tagged);
}

/**
 * Returns the cached class, or computes it on a query thread. A class is cached once for all selected blocks.
 * A second cache entry holds the number of the first block known to include it.
 */
async function keptClass(
  { context, cache, queryPool }: FeederDeps,
  { caller }: HttpRequest,
  name: string,
  classHash: Felt,
  upTo: number | undefined,
): Promise<string | Uint8Array> {
  const key = `feeder ${name} ${classHash.toString(16)}`;
  const sinceKey = `${key} since`;
  const since = cache.get(sinceKey);
  const isThere = upTo === undefined || (since !== undefined && upTo >= Number(since));
  const isKept = !isUnaccepted(context, classHash);
  const kept = isKept && isThere ? cache.get(key) : undefined;
  if (kept !== undefined) return kept;
  const tickets = { answer: cache.ticket(key), since: cache.ticket(sinceKey) };
  let answer: Uint8Array;
  try {
    answer = await longAnswer(queryPool, caller, name, [hexFromFelt(classHash), upTo ?? null]);
  } catch (error) {
    if (!(error instanceof GatewayFault) || error.errorName !== "UNDECLARED_CLASS") throw error;
    throw new GatewayFault(error.errorName, `Class with hash ${hexFromFelt(classHash)} not found`);
  }
  if (isKept) {
    cache.put(tickets.answer, answer);
    if (upTo !== undefined) cache.put(tickets.since, String(upTo));
  }
  return answer;
}

/** Returns the number of a block selected by number or hash; `undefined` for the newest. */
function namedBlock(context: MainContext, selection: Selection): number | undefined {
  if (selection.kind === "latest" || selection.kind === "pending") return undefined;
  return selectedBlock(context, selection).header.number;
}

/** Whether an unaccepted block declares the class, so that it may disappear. */
function isUnaccepted(context: MainContext, classHash: Felt): boolean {
  return context
    .unaccepted()
    .some(
      ({ stateDiff }) =>
        stateDiff.declaredClasses.has(classHash) ||
        stateDiff.deprecatedDeclaredClasses.has(classHash),
    );
}
