import { FELT_BYTES, FIELD_PRIME, readFelt } from "#base/primitives/index.ts";
import { copyFelt, writeShifted } from "./bits.ts";
import type { TrieHash } from "./hash-function.ts";
import type { BinaryNode, Edge } from "./node.ts";
import { damaged } from "./row.ts";

/** First byte of P: felts below it need no comparison. */
const FIRST_BYTE_OF_PRIME = 8;

/** What a pair must hash to. */
interface Expectation {
  readonly hash: Uint8Array;
  readonly hashAt: number;
  /** Added to the hash: the length of an edge. */
  readonly length: number;
  /** The row that is damaged otherwise. */
  readonly id: number;
}

/** Collects pairs with what they must hash to, and hashes them at once. */
export class PairChecks {
  readonly #hash: TrieHash;
  readonly #expected: Expectation[] = [];
  #pairs = new Uint8Array(1024 * 2 * FELT_BYTES);

  constructor(hash: TrieHash) {
    this.#hash = hash;
  }

  /** A node with two children has this hash. */
  pair(left: Edge, right: Edge, hash: Uint8Array, hashAt: number, id: number): void {
    const at = this.#room();
    this.#copy(at, left.hash, left.hashAt, id);
    this.#copy(at + FELT_BYTES, right.hash, right.hashAt, id);
    this.#expected.push({ hash, hashAt, length: 0, id });
  }

  /** An edge has this hash; one of length 0 has none of its own. */
  edge(edge: Edge, child: BinaryNode, id: number): void {
    const { topHeight, height } = edge;
    if (topHeight === height) return;
    const at = this.#room();
    this.#copy(at, child.hash, child.hashAt, id);
    this.#pairs.fill(0, at + FELT_BYTES, at + 2 * FELT_BYTES);
    writeShifted(this.#pairs, at + FELT_BYTES, child.key, child.keyAt, topHeight, height);
    this.#expected.push({ hash: edge.hash, hashAt: edge.hashAt, length: topHeight - height, id });
  }

  /** @throws {StorageError} when a pair has another hash */
  run(): void {
    if (this.#expected.length === 0) return;
    const hashes = this.#hash.pairs(this.#pairs.slice(0, this.#expected.length * 2 * FELT_BYTES));
    const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
    for (const [i, { hash, hashAt, length, id }] of this.#expected.entries()) {
      const found = (readFelt(view, i * FELT_BYTES) + BigInt(length)) % FIELD_PRIME;
      const wanted = readFelt(new DataView(hash.buffer, hash.byteOffset + hashAt, FELT_BYTES), 0);
      if (found !== wanted) throw damaged(id);
    }
    this.#expected.length = 0;
  }

  /** Where the next pair goes. */
  #room(): number {
    const at = this.#expected.length * 2 * FELT_BYTES;
    if (at + 2 * FELT_BYTES > this.#pairs.length) {
      const larger = new Uint8Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    return at;
  }

  /** The kernel takes felts only: other bytes are damage. */
  #copy(at: number, bytes: Uint8Array, bytesAt: number, id: number): void {
    if ((bytes[bytesAt] ?? 0) >= FIRST_BYTE_OF_PRIME) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + bytesAt, FELT_BYTES);
      if (readFelt(view, 0) >= FIELD_PRIME) throw damaged(id);
    }
    copyFelt(this.#pairs, at, bytes, bytesAt);
  }
}
