import { stateOf } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import { originStorageUpdate } from "../fork/state.ts";
import { method, optional, required } from "../method.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ResolvedBlock } from "../block-id.ts";
import { blockOrFail } from "./shared.ts";

/** Contracts without a class: 0x1 stores block hashes, 0x2 aliases of the compressed state diff. */
const SYSTEM_ADDRESSES: ReadonlySet<Felt> = new Set([1n, 2n]);

/**
 * JSON-RPC method `starknet_getStorageAt`: value of a storage variable of a contract; 0 when
 * nothing is stored.
 */
export const getStorageAt = method({
  name: "getStorageAt",
  family: "read",
  runsOn: "main",
  summary: "Value of a storage variable of a contract; 0 when nothing is stored.",
  params: (spec) => ({
    contract_address: required(spec.felt),
    key: required(spec.storageKey),
    block_id: required(spec.blockId),
    response_flags: optional(spec.storageFlags, []),
  }),
  result: (spec) => spec.storage,
  answer: (spec) => spec.schemas.storage,
  errors: ["CONTRACT_NOT_FOUND", "BLOCK_NOT_FOUND"],
  handler(context, { contract_address, key, block_id, response_flags }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const state = stateOf(context, block);
    const value = state.storageAt(contract_address, key);
    if (
      value === 0n &&
      !SYSTEM_ADDRESSES.has(contract_address) &&
      state.classHashAt(contract_address) === 0n
    ) {
      return fail("CONTRACT_NOT_FOUND");
    }
    return response_flags.includes("INCLUDE_LAST_UPDATE_BLOCK")
      ? { value, lastUpdateBlock: lastUpdate(context, block, contract_address, key) }
      : { value };
  },
});

/**
 * Returns the number of the last block up to `block` that changed the variable; 0 for one that was never
 * written, as specified.
 */
function lastUpdate(context: ChainContext, block: ResolvedBlock, address: Felt, key: Felt): number {
  const { chain } = context;
  if (block.kind === "accepted") return acceptedUpdate(context, [address, key], block.number) ?? 0;
  const accepted = chain.latestNumber() ?? -1;
  const views = context.unaccepted();
  let last: number | undefined;
  let value = chain.stateAt(accepted).storageAt(address, key);
  for (const { info, stateDiff } of views) {
    const written = stateDiff.storageDiffs.get(address)?.get(key);
    // The diff of an unaccepted block may contain values that returned to their previous ones.
    if (written === undefined || written === value) continue;
    last = info.number;
    value = written;
  }
  return last ?? acceptedUpdate(context, [address, key], accepted) ?? 0;
}

/** Returns the last accepted block up to `blockNumber` that changed a variable. */
function acceptedUpdate(
  { chain, fork }: ChainContext,
  [address, key]: readonly [address: Felt, key: Felt],
  blockNumber: number,
): number | undefined {
  const last = chain.lastStorageUpdate(address, key, blockNumber);
  if (last !== undefined || fork === null) return last;
  return originStorageUpdate(fork, [address, key], blockNumber);
}
