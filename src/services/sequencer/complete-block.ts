import {
  blockHash,
  type BlockHeader,
  computeCommitments,
  type IncrementalCommitments,
  type SealedBlock,
  signBlock,
} from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import {
  applyStateDiff,
  type TrieChanges,
  type TrieHash,
  type TrieStore,
} from "#protocol/trie/index.ts";
import type { SealedDraft } from "./sealed-draft.ts";

/** Input of {@link completeBlock}. */
export interface CompletionInput {
  /** Draft without its classes: the state diff has their hashes. */
  readonly draft: Omit<SealedDraft, "classes">;
  /** Commitments over all transactions of the draft; `null` to hash them now. */
  readonly commitments: IncrementalCommitments | null;
  /** Accepted block before this one; `undefined` for block 0. */
  readonly parent: Pick<BlockHeader, "hash"> | undefined;
  readonly stateBefore: StateReader;
  /** Newest tries, as of the parent. */
  readonly tries: TrieStore;
  /** Hash of the contracts trie and of storage tries. */
  readonly pedersen: TrieHash;
  readonly signingKey: Felt;
}

/** A block that can be stored. */
export interface CompletedBlock {
  readonly block: SealedBlock;
  readonly trie: TrieChanges;
}

/**
 * Computes the missing parts of a draft: state root, commitments, hash and signature. Reads trie rows and
 * contract values through `tries` and `stateBefore`, and writes nothing.
 *
 * @throws {StorageError} when a row of a trie is missing or damaged
 */
export function completeBlock(input: CompletionInput): CompletedBlock {
  const { draft, commitments, parent, stateBefore, tries, pedersen, signingKey } = input;
  const { info, transactions, receipts, stateDiff } = draft;
  const { stateRoot, changes } = applyStateDiff({
    diff: stateDiff,
    store: tries,
    pedersen,
    contracts: stateBefore,
    alwaysHashClasses: protocolRules(info.protocolVersion).alwaysHashClasses,
  });
  const body = { transactions, receipts, stateDiff };
  const unhashed = {
    ...info,
    ...(commitments?.finish(stateDiff) ?? computeCommitments(body, info.protocolVersion)),
    parentHash: parent?.hash ?? 0n,
    newRoot: stateRoot,
  };
  const header: BlockHeader = { ...unhashed, hash: blockHash(unhashed) };
  return { block: { ...body, header, signature: signBlock(signingKey, header) }, trie: changes };
}
