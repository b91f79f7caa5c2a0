import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import type { ChainContext } from "../context.ts";
import { method, optional, required } from "../method.ts";
import type { StateUpdateAnswer } from "../spec/version.ts";
import { blockCacheKey } from "./cache-keys.ts";
import { blockOrFail, parentOf } from "./shared.ts";

/** JSON-RPC method `starknet_getStateUpdate`: state changes of a block. */
export const getStateUpdate = method({
  name: "getStateUpdate",
  family: "read",
  runsOn: "query",
  summary: "State changes of a block.",
  params: (spec) => ({
    block_id: required(spec.blockId),
    contract_addresses: optional(spec.updatedContracts, undefined),
  }),
  result: (spec) => spec.stateUpdate,
  answer: (spec) => spec.schemas.stateUpdate,
  errors: ["BLOCK_NOT_FOUND"],
  cacheKey: (context, { block_id, contract_addresses = [] }) =>
    contract_addresses.length === 0 ? blockCacheKey(context, block_id) : undefined,
  // An empty list selects all contracts, as in Pathfinder.
  handler(context, { block_id, contract_addresses = [] }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const update =
      block.kind === "pending"
        ? pendingUpdate(context, block.view)
        : acceptedUpdate(context, block.number);
    if (update === undefined) return fail("BLOCK_NOT_FOUND");
    return contract_addresses.length === 0
      ? update
      : { ...update, stateDiff: onlyContracts(update.stateDiff, new Set(contract_addresses)) };
  },
});

function acceptedUpdate(context: ChainContext, blockNumber: number): StateUpdateAnswer | undefined {
  const { chain } = context;
  const header = chain.header(blockNumber);
  const stateDiff = chain.stateDiff(blockNumber);
  if (header === undefined || stateDiff === undefined) return undefined;
  const oldRoot = parentOf(context, blockNumber)?.newRoot;
  return oldRoot === undefined
    ? undefined
    : { blockHash: header.hash, newRoot: header.newRoot, oldRoot, stateDiff };
}

function pendingUpdate(
  context: ChainContext,
  { info, stateDiff }: PendingBlock,
): StateUpdateAnswer | undefined {
  const oldRoot = parentOf(context, info.number)?.newRoot;
  return oldRoot === undefined ? undefined : { oldRoot, stateDiff };
}

/** Class declarations belong to no contract and are kept. */
function onlyContracts(diff: StateDiff, addresses: ReadonlySet<Felt>): StateDiff {
  const keep = <T>(map: ReadonlyMap<Felt, T>): ReadonlyMap<Felt, T> =>
    new Map([...map].filter(([address]) => addresses.has(address)));
  return {
    ...diff,
    storageDiffs: keep(diff.storageDiffs),
    nonces: keep(diff.nonces),
    deployedContracts: keep(diff.deployedContracts),
    replacedClasses: keep(diff.replacedClasses),
  };
}
