import { stateOf } from "../block-id.ts";
import type { RpcContext } from "../context.ts";
import { NotServedError } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ResolvedBlock } from "../block-id.ts";
import { blockOrFail } from "./shared.ts";

/** Contracts without a class: 0x1 keeps block hashes, 0x2 aliases of the compressed state diff. */
const SYSTEM_ADDRESSES: ReadonlySet<Felt> = new Set([1n, 2n]);

/** starknet_getStorageAt. */
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

/** The specification gives 0 for a variable that was never written. */
function lastUpdate(context: RpcContext, block: ResolvedBlock, address: Felt, key: Felt): number {
  if (context.lastStorageUpdate === undefined) {
    throw new NotServedError("INCLUDE_LAST_UPDATE_BLOCK: this node does not keep it");
  }
  if (block.kind === "accepted") return context.lastStorageUpdate(address, key, block.number) ?? 0;
  const { info, stateDiff } = block.view;
  if (stateDiff.storageDiffs.get(address)?.has(key) === true) return info.number;
  return context.lastStorageUpdate(address, key, info.number - 1) ?? 0;
}
