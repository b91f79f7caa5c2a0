import type { HttpReply, HttpRequest } from "#api/rpc/index.ts";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { writeBlockReference, writeGatewaySignature } from "#io/feeder/index.ts";
import type { GatewayRoute } from "../../app.ts";
import type { FeederDeps } from "../deps.ts";
import { blockNotFound, GatewayFault } from "../fault.ts";
import { streamedAnswer } from "../long-answer.ts";
import { longReply, notModified, type Tagged, taggedReply } from "../reply.ts";
import { selectedBlock, type SelectedBlock, selectionOf } from "../selection.ts";
import { feederRoute } from "./route.ts";

/** Routes get_block, get_state_update, get_signature, get_block_traces and get_block_bouncer_weights. */
export function blockRoutes(deps: FeederDeps): readonly GatewayRoute[] {
  const { context } = deps;
  return [
    feederRoute("get_block", (request, query) => {
      const isHeaderOnly = query.flag("headerOnly");
      const block = selectedBlock(context, selectionOf(query));
      if (!isHeaderOnly) return blockReply(deps, request, block, "block", []);
      const tagged = taggedBy(block);
      return (
        notModified(request, tagged) ??
        taggedReply(stringifyJson(writeBlockReference(block.header)), tagged)
      );
    }),
    feederRoute("get_state_update", (request, query) => {
      const withBlock = query.flag("includeBlock");
      const withSignature = query.flag("includeSignature");
      const block = selectedBlock(context, selectionOf(query));
      if (!withBlock) return blockReply(deps, request, block, "stateUpdate", []);
      return blockReply(deps, request, block, "wholeBlock", [withSignature]);
    }),
    feederRoute("get_signature", (request, query) => {
      const selection = selectionOf(query);
      if (selection.kind === "pending") {
        throw new GatewayFault(
          "NO_SIGNATURE_FOR_PENDING_BLOCK",
          "BlockSignature is not supported for pending blocks; try querying with a concrete block identifier",
        );
      }
      const block = selectedBlock(context, selection);
      const tagged = taggedBy(block);
      const { hash, number } = block.header;
      const signature = context.chain.signature(number) ?? blockNotFound();
      return (
        notModified(request, tagged) ??
        taggedReply(stringifyJson(writeGatewaySignature(hash, signature)), tagged)
      );
    }),
    feederRoute("get_block_traces", (request, query) =>
      executedReply(deps, request, selectedBlock(context, selectionOf(query)), "blockTraces"),
    ),
    feederRoute("get_block_bouncer_weights", (request, query) =>
      executedReply(deps, request, selectedBlock(context, selectionOf(query)), "bouncerWeights"),
    ),
  ];
}

function taggedBy({ header, status, isNamed }: SelectedBlock): Tagged {
  const isSettled = status === "ACCEPTED_ON_L1";
  return {
    tag: `${header.hash.toString(16)}-${isSettled ? "L1" : "L2"}`,
    freshness: isSettled && isNamed ? "immutable" : "revalidate",
  };
}

async function blockReply(
  deps: FeederDeps,
  request: HttpRequest,
  block: SelectedBlock,
  name: string,
  params: readonly JsonValue[],
): Promise<HttpReply> {
  const tagged = taggedBy(block);
  const { status } = block;
  return (
    notModified(request, tagged) ??
    keptReply(deps, request, block, tagged, name, [status, ...params])
  );
}

/** Returns a long response computed by re-executing a block. It does not depend on the block's finality. */
async function executedReply(
  deps: FeederDeps,
  request: HttpRequest,
  block: SelectedBlock,
  name: string,
): Promise<HttpReply> {
  const tag = block.header.hash.toString(16);
  const tagged = { tag, freshness: "revalidate" } as const;
  return notModified(request, tagged) ?? keptReply(deps, request, block, tagged, name, []);
}

/** Returns the cached response, or computes it on a query thread. */
async function keptReply(
  { cache, queryPool }: FeederDeps,
  { caller }: HttpRequest,
  { header }: SelectedBlock,
  tagged: Tagged,
  name: string,
  params: readonly JsonValue[],
): Promise<HttpReply> {
  const key = `feeder ${name} ${tagged.tag} ${stringifyJson(params)}`;
  const known = cache.get(key);
  if (known !== undefined) return taggedReply(known, tagged);
  const ticket = cache.ticket(key);
  const allParams = [header.number, hexFromFelt(header.hash), ...params];
  const answer = await streamedAnswer(queryPool, caller, name, allParams);
  if (answer.rest === undefined) cache.put(ticket, answer.bytes);
  return longReply(answer, tagged);
}
