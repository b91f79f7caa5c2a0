import { named, type Schema } from "#base/codec/index.ts";
import { COUNT, FELT, list, NUMBER_HEX, oneOf, record } from "./common.ts";

/** NODE_HASH_TO_NODE_MAPPING. */
const NODES: Schema = named(
  "NODE_HASH_TO_NODE_MAPPING",
  list(
    record({
      node_hash: FELT,
      node: oneOf(
        named("BINARY_NODE", record({ left: FELT, right: FELT })),
        named("EDGE_NODE", record({ path: NUMBER_HEX, length: COUNT, child: FELT })),
      ),
    }),
  ),
);

/** JSON schema of the result of getStorageProof. */
export const STORAGE_PROOF: Schema = record({
  classes_proof: NODES,
  contracts_proof: record({
    nodes: NODES,
    contract_leaves_data: list(record({ nonce: FELT, class_hash: FELT, storage_root: FELT })),
  }),
  contracts_storage_proofs: list(NODES),
  global_roots: record({ contracts_tree_root: FELT, classes_tree_root: FELT, block_hash: FELT }),
});
