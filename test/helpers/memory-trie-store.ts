import {
  type AddedNode,
  NodeHashes,
  type TrieChanges,
  type TrieName,
  type TrieRoot,
  type TrieStore,
} from "#protocol/trie/index.ts";

/** Trie tables in memory with a mark per block, to test operations of a database on them. */
export class MemoryTrieStore implements TrieStore {
  readonly hashes: NodeHashes;
  readonly rows = new Map<number, Uint8Array>();
  readonly #roots = new Map<string, { block: number; root: TrieRoot | null }[]>();
  readonly #blocks: { lastNodeId: number; removed: readonly number[] }[] = [];

  /** @param hashesBytes - memory limit of node hashes */
  constructor(hashesBytes = 0) {
    this.hashes = new NodeHashes(hashesBytes);
  }

  /** Number of committed blocks. */
  get height(): number {
    return this.#blocks.length;
  }

  node(id: number): Uint8Array | undefined {
    return this.rows.get(id);
  }

  nextNodeId(): number {
    return (this.#blocks.at(-1)?.lastNodeId ?? 0) + 1;
  }

  root(name: TrieName): TrieRoot | undefined {
    return this.rootAt(name, this.height - 1);
  }

  rootAt(name: TrieName, block: number): TrieRoot | undefined {
    const versions = this.#roots.get(keyOf(name)) ?? [];
    return versions.findLast((version) => version.block <= block)?.root ?? undefined;
  }

  insert(added: readonly AddedNode[]): void {
    for (const { id, bytes } of added) this.rows.set(id, bytes);
  }

  commit({ added, removed, roots, lastNodeId }: TrieChanges): void {
    const block = this.height;
    this.insert(added);
    for (const { id, hash } of added) {
      if (hash !== null) this.hashes.set(id, hash.bytes, hash.at, hash.cost);
    }
    for (const { root, ...name } of roots) {
      const key = keyOf(name);
      this.#roots.set(key, [...(this.#roots.get(key) ?? []), { block, root }]);
    }
    this.#blocks.push({ lastNodeId, removed });
  }

  revert(): void {
    this.#blocks.pop();
    this.hashes.clear();
    const mark = this.nextNodeId();
    for (const id of this.rows.keys()) if (id >= mark) this.rows.delete(id);
    for (const [key, versions] of this.#roots) {
      this.#roots.set(
        key,
        versions.filter(({ block }) => block < this.height),
      );
    }
  }

  /** Deletes rows that only blocks before `block` need. */
  prune(block: number): void {
    for (const { removed } of this.#blocks.slice(0, block + 1)) {
      for (const id of removed) this.rows.delete(id);
    }
  }
}

function keyOf({ kind, contractAddress }: TrieName): string {
  return `${kind} ${contractAddress}`;
}
