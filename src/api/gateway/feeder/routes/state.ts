import type { MainContext } from "#api/rpc/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { GatewayRoute } from "../../app.ts";
import type { FeederDeps } from "../deps.ts";
import { blockNotFound, GatewayFault, malformed } from "../fault.ts";
import type { Query } from "../query.ts";
import { pointReply } from "../reply.ts";
import { selectedBlock, selectionOf } from "../selection.ts";
import { feederRoute } from "./route.ts";

/** Number of leaves of the contract and storage tries. */
const LEAVES = 1n << 251n;

/** Routes of contract state after a block; `pending` includes all executed transactions. */
export function stateRoutes({ context }: FeederDeps): readonly GatewayRoute[] {
  return [
    feederRoute("get_storage_at", (request, query) => {
      const address = contractOf(query);
      const key =
        query.decimalOrHex("key", "Storage key", "OUT_OF_RANGE_STORAGE_KEY", LEAVES) ??
        malformed("Field key is required.");
      return pointReply(request, hexFromFelt(stateOf(context, query).storageAt(address, key)));
    }),
    feederRoute("get_nonce", (request, query) => {
      const address = contractOf(query);
      return pointReply(request, hexFromFelt(stateOf(context, query).nonceAt(address)));
    }),
    feederRoute("get_class_hash_at", (request, query) => {
      return pointReply(request, hexFromFelt(classHashAt(context, query)));
    }),
  ];
}

/**
 * Returns the class hash of the contract that the request names.
 *
 * @throws {GatewayFault} UNINITIALIZED_CONTRACT if no contract is deployed there
 */
export function classHashAt(context: MainContext, query: Query): Felt {
  const address = contractOf(query);
  const classHash = stateOf(context, query).classHashAt(address);
  if (classHash !== 0n) return classHash;
  throw new GatewayFault(
    "UNINITIALIZED_CONTRACT",
    `Requested contract address ${hexFromFelt(address)} is not deployed.`,
  );
}

function contractOf(query: Query): Felt {
  return (
    query.felt("contractAddress", "Contract address", "OUT_OF_RANGE_CONTRACT_ADDRESS", LEAVES) ??
    malformed("Field contractAddress is required.")
  );
}

/**
 * Returns the selected state; reading it may throw STORAGE_PRUNED.
 *
 * @throws {GatewayFault} BLOCK_NOT_FOUND
 */
function stateOf(context: MainContext, query: Query): StateReader {
  const selection = selectionOf(query);
  if (selection.kind === "pending") return (context.pending() ?? blockNotFound()).state;
  return context.chain.stateAt(selectedBlock(context, selection).header.number);
}
