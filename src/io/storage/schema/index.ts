import type { BlockStateDiffTable, BlockTable } from "./block.ts";
import type { ClassTable } from "./class.ts";
import type { EventSegmentTable } from "./event.ts";
import type { L1MessageTable } from "./l1-message.ts";
import type { MetaTable } from "./meta.ts";
import type {
  CompiledClassHashTable,
  ContractClassTable,
  ContractNonceTable,
  ContractStorageTable,
  ContractTable,
} from "./state.ts";
import type { TransactionChunkTable, TransactionIndexTable } from "./transaction.ts";
import type { TriePageTable, TrieRemovedTable, TrieRootTable } from "./trie.ts";

/** Tables of the chain database. */
export interface ChainSchema {
  meta: MetaTable;
  block: BlockTable;
  block_state_diff: BlockStateDiffTable;
  event_segment: EventSegmentTable;
  transaction_chunk: TransactionChunkTable;
  transaction_index: TransactionIndexTable;
  contract: ContractTable;
  contract_storage: ContractStorageTable;
  contract_nonce: ContractNonceTable;
  contract_class: ContractClassTable;
  compiled_class_hash: CompiledClassHashTable;
  class: ClassTable;
  l1_message: L1MessageTable;
  trie_page: TriePageTable;
  trie_root: TrieRootTable;
  trie_removed: TrieRemovedTable;
}
