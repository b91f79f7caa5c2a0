import type { Candidate, HttpReply, HttpRequest, MainContext } from "#api/rpc/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { PRE_CONFIRMED_UNCHANGED } from "#io/feeder/index.ts";
import type { GatewayRoute } from "../../app.ts";
import type { FeederDeps } from "../deps.ts";
import { blockNotFound, malformed } from "../fault.ts";
import { longAnswer } from "../long-answer.ts";
import { UnacceptedBlocks, type UnacceptedBlock } from "../unaccepted-blocks.ts";
import type { Query } from "../query.ts";
import { notModified, pointReply, taggedReply } from "../reply.ts";
import { feederRoute } from "./route.ts";

/** `blockIdentifier` values that refer to no block. */
const NO_IDENTIFIERS: readonly (string | undefined)[] = [undefined, "", "0x0"];

/** The client's view of the block, from its request. */
interface Known {
  /** Whether only changes are requested; the response then says which count they apply to. */
  readonly wantsChanges: boolean;
  /** `undefined` if the client has no block yet. */
  readonly identifier: string | undefined;
  readonly count: bigint;
}

/** Route get_preconfirmed_block: unaccepted blocks, complete or as changes. */
export function preConfirmedRoutes(deps: FeederDeps): readonly GatewayRoute[] {
  const blocks = new UnacceptedBlocks();
  return [
    feederRoute("get_preconfirmed_block", (request, query) => {
      const number = numberOf(query);
      const known = knownOf(query);
      const block = blocks.find(deps.context, number) ?? notFound(deps.context, number);
      if (!known.wantsChanges) return wholeReply(deps, request, block, number === "latest");
      return changesReply(deps, request, block, known);
    }),
  ];
}

function numberOf(query: Query): bigint | "latest" {
  if (query.text("blockNumber") === "latest") return "latest";
  return query.number("blockNumber") ?? malformed("Field blockNumber is required.");
}

function knownOf(query: Query): Known {
  const identifier = query.text("blockIdentifier");
  const count = query.number("knownTransactionCount");
  return {
    wantsChanges: identifier !== undefined || count !== undefined,
    identifier: NO_IDENTIFIERS.includes(identifier) ? undefined : identifier,
    count: count ?? 0n,
  };
}

function notFound({ chain, unaccepted }: MainContext, number: bigint | "latest"): never {
  const open = unaccepted().at(-1)?.info.number ?? (chain.latestNumber() ?? -1) + 1;
  return blockNotFound(
    `Pre-confirmed block with number ${number} was not found. Current pre-confirmed block number is ${open}.`,
  );
}

/**
 * Returns what was added to the client's block, or the whole block if it is a different one. Candidates are
 * omitted: clients count received transactions as known, and would never receive their results.
 */
async function changesReply(
  deps: FeederDeps,
  request: HttpRequest,
  block: UnacceptedBlock,
  known: Known,
): Promise<HttpReply> {
  const { identifier, count } = block;
  const isSame = known.identifier === identifier && known.count <= BigInt(count);
  const from = isSame ? Number(known.count) : null;
  if (from === count) return pointReply(request, PRE_CONFIRMED_UNCHANGED);
  const tag = `${identifier}-${from ?? ""}-${count}`;
  return reply(deps, request, tag, [seen(block), identifier, from, false, []]);
}

/**
 * Returns the whole block. For the open block, candidates follow the executed transactions.
 *
 * @param isLatest - whether it was not requested by number; the response then includes the number
 */
async function wholeReply(
  deps: FeederDeps,
  request: HttpRequest,
  block: UnacceptedBlock,
  isLatest: boolean,
): Promise<HttpReply> {
  const { identifier, count, isOpen } = block;
  const candidates = isOpen ? waiting(deps) : [];
  const named = Bun.hash(candidates.map(({ hash }) => hash.toString(36)).join()).toString(36);
  const tag = `${identifier}-${count}-${named}`;
  const encoded = candidates.map(({ bytes }) => bytes.toBase64());
  return reply(deps, request, tag, [seen(block), null, null, isLatest, encoded]);
}

/** Describes the block as seen here: a query thread may see more transactions, or another block. */
function seen({ number, count, last }: UnacceptedBlock): JsonValue {
  return [number, count, last === null ? null : hexFromFelt(last)];
}

function waiting({ candidates, context }: FeederDeps): readonly Candidate[] {
  return candidates.waiting(
    (hash: Felt) =>
      context.unaccepted().some((view) => view.find(hash) !== undefined) ||
      context.chain.locate(hash) !== undefined,
  );
}

async function reply(
  { queryPool }: FeederDeps,
  request: HttpRequest,
  tag: string,
  params: Parameters<typeof longAnswer>[3],
): Promise<HttpReply> {
  const tagged = { tag, freshness: "revalidate" } as const;
  return (
    notModified(request, tagged) ??
    taggedReply(await longAnswer(queryPool, request.caller, "preConfirmed", params), tagged)
  );
}
