import { type Kysely, sql } from "kysely";
import {
  type EarlierRow,
  PEDERSEN,
  POSEIDON,
  readEarlierRow,
  convertEarlierRows,
  STATE_TRIE_HEIGHT,
} from "#protocol/trie/index.ts";
import { PAGE_NODES, type PageNodes, packPage, pageOf } from "./page.ts";
import { TRIE_KINDS } from "./kinds.ts";

/** Number of rows in memory at a time: a number of whole pages. */
const PORTION_IDS = 128 * PAGE_NODES;

const NO_ROW: EarlierRow = { id: 0, height: 0, edges: [] };

interface NodeRow {
  readonly id: bigint;
  readonly bytes: Uint8Array;
}

/**
 * Moves trie nodes from one row each, in the form in which all hashes were stored, into pages. Ids stay the
 * same. Nodes that no root reaches, which await deletion, are dropped.
 *
 * Memory holds some thousand rows, and one byte per node id ever assigned.
 *
 * @throws {StorageError} STORAGE_TRIE_NODE_DAMAGED when a row is damaged
 */
export async function adoptTriePages(db: Kysely<unknown>): Promise<void> {
  const newest = await sql<{ id: bigint | null }>`select max(id) as id from trie_node`.execute(db);
  const ids = Number(newest.rows[0]?.id ?? 0n) + 1;
  const nodes = new EarlierNodes(db, ids);
  await nodes.findHeights();
  await nodes.move();
  await sql`drop table trie_node`.execute(db);
}

class EarlierNodes {
  readonly #db: Kysely<unknown>;
  readonly #ids: number;
  /** By id: the height of a node before it is moved, then the cost of its hash; 0 if no root reaches it. */
  readonly #known: Uint8Array;
  readonly #ofClasses = new Set<number>();

  constructor(db: Kysely<unknown>, ids: number) {
    this.#db = db;
    this.#ids = ids;
    this.#known = new Uint8Array(ids);
  }

  /** Computes heights top-down: a row contains only the heights of its children, which have lower ids. */
  async findHeights(): Promise<void> {
    const roots = await sql<{ kind: bigint; id: bigint }>`
      select distinct kind, node_id as id from trie_root where node_id > 0`.execute(this.#db);
    for (const { kind, id } of roots.rows) {
      this.#known[Number(id)] = STATE_TRIE_HEIGHT;
      if (Number(kind) === TRIE_KINDS.classes) this.#ofClasses.add(Number(id));
    }
    for (let from = this.#ids - (this.#ids % PORTION_IDS); from >= 0; from -= PORTION_IDS) {
      const rows = await this.#portion(from);
      for (const row of rows.toReversed()) {
        const { id, edges } = this.#read(row) ?? NO_ROW;
        for (const { child } of edges) {
          if (child.height === 0) continue;
          this.#known[child.id] = child.height;
          if (this.#ofClasses.has(id)) this.#ofClasses.add(child.id);
        }
      }
    }
  }

  async move(): Promise<void> {
    for (let from = 0; from < this.#ids; from += PORTION_IDS) {
      const rows = (await this.#portion(from)).flatMap((row) => this.#read(row) ?? []);
      const isOfClass = ({ id }: EarlierRow): boolean => this.#ofClasses.has(id);
      const pages = new Map<number, PageNodes>();
      for (const { id, bytes } of [
        ...convertEarlierRows(rows.filter(isOfClass), POSEIDON, this.#known),
        ...convertEarlierRows(
          rows.filter((row) => !isOfClass(row)),
          PEDERSEN,
          this.#known,
        ),
      ]) {
        const page = pages.get(pageOf(id)) ?? [];
        page[id % PAGE_NODES] = bytes;
        pages.set(pageOf(id), page);
      }
      for (const [page, nodes] of [...pages].sort(([a], [b]) => a - b)) {
        const packed = packPage(nodes);
        await sql`insert into trie_page (id, nodes) values (${page}, ${packed})`.execute(this.#db);
      }
    }
  }

  /** Decodes a row; `undefined` if no root reaches it. */
  #read({ id, bytes }: NodeRow): EarlierRow | undefined {
    const height = this.#known[Number(id)] ?? 0;
    return height === 0 ? undefined : readEarlierRow(bytes, Number(id), height);
  }

  async #portion(from: number): Promise<readonly NodeRow[]> {
    const found = await sql<NodeRow>`
      select id, bytes from trie_node where id >= ${from} and id < ${from + PORTION_IDS}
      order by id`.execute(this.#db);
    return found.rows;
  }
}
