import { StorageError } from "#base/errors/index.ts";

/**
 * Pages of trie nodes. Rows with adjacent ids are stored together, because SQLite needs ten bytes and some
 * microseconds per row, and a node has only 6 to 70 bytes.
 *
 * Format: a bitmap of the present nodes among {@link PAGE_NODES}, lowest bit first (2 bytes, big-endian); the
 * length of each present node (1 byte each); their rows. Unneeded nodes are removed.
 */

/** Number of nodes per page: those whose ids have the same quotient by this number. */
export const PAGE_NODES = 16;

const HEAD_BYTES = 2;
const MAX_NODE_BYTES = 255;

/** Rows of the trie nodes of a page, by position; `undefined`: the page does not have the node. */
export type PageNodes = (Uint8Array | undefined)[];

/** Returns the number of the page that has a node. */
export function pageOf(id: number): number {
  return Math.floor(id / PAGE_NODES);
}

/** Returns the id of the node at a position of a page. */
export function idAt(page: number, place: number): number {
  return page * PAGE_NODES + place;
}

/**
 * Returns the row of a node; `undefined` if the page does not contain it.
 *
 * @throws {StorageError} STORAGE_TRIE_NODE_DAMAGED when the page is shorter than its header says
 */
export function nodeOf(page: Uint8Array, id: number): Uint8Array | undefined {
  const place = id % PAGE_NODES;
  const present = presentOf(page);
  if (((present >>> place) & 1) === 0) return undefined;
  const index = countBits(present & ((1 << place) - 1));
  let at = HEAD_BYTES + countBits(present);
  for (let i = 0; i < index; i++) at += page[HEAD_BYTES + i] as number;
  const end = at + (page[HEAD_BYTES + index] ?? 0);
  if (end === at || end > page.length) throw damagedPage(pageOf(id));
  return page.subarray(at, end);
}

/**
 * Decodes all rows of a page.
 *
 * @throws {StorageError} STORAGE_TRIE_NODE_DAMAGED when its length differs from that in its header
 */
export function unpackPage(page: Uint8Array, number: number): PageNodes {
  const present = presentOf(page);
  const nodes: PageNodes = new Array<Uint8Array | undefined>(PAGE_NODES).fill(undefined);
  let index = 0;
  let at = HEAD_BYTES + countBits(present);
  for (let place = 0; place < PAGE_NODES; place++) {
    if (((present >>> place) & 1) === 0) continue;
    const length = page[HEAD_BYTES + index++] ?? 0;
    nodes[place] = page.subarray(at, (at += length));
  }
  if (index === 0 || at !== page.length) throw damagedPage(number);
  return nodes;
}

/** Encodes rows as a page; `undefined` if none. */
export function packPage(nodes: PageNodes): Uint8Array | undefined {
  let present = 0;
  let count = 0;
  let size = HEAD_BYTES;
  for (let place = 0; place < PAGE_NODES; place++) {
    const node = nodes[place];
    if (node === undefined) continue;
    present |= 1 << place;
    count++;
    size += 1 + node.length;
  }
  if (count === 0) return undefined;
  const page = new Uint8Array(size);
  for (let i = 0; i < HEAD_BYTES; i++) page[i] = present >>> (8 * (HEAD_BYTES - 1 - i));
  let index = HEAD_BYTES;
  let at = HEAD_BYTES + count;
  for (const node of nodes) {
    if (node === undefined) continue;
    if (node.length > MAX_NODE_BYTES) throw new RangeError("a trie node is too long for a page");
    page[index++] = node.length;
    page.set(node, at);
    at += node.length;
  }
  return page;
}

function presentOf(page: Uint8Array): number {
  let present = 0;
  for (let i = 0; i < HEAD_BYTES; i++) present = (present << 8) | (page[i] ?? 0);
  return present;
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x5555_5555);
  rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

function damagedPage(page: number): StorageError {
  return new StorageError("STORAGE_TRIE_NODE_DAMAGED", `trie page ${page} is damaged`, {
    meta: { page },
  });
}
