import type { AddedNode } from "#protocol/trie/index.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { idAt, PAGE_NODES, type PageNodes, packPage, pageOf, unpackPage } from "./page.ts";
import type { TrieTables } from "./reader.ts";

/** Writes pages of trie nodes. Every method needs an open transaction. */
export class TriePageWriter {
  readonly #tables: TrieTables;
  readonly #insert;
  readonly #update;
  readonly #delete;
  readonly #deleteAbove;
  readonly #clear;

  constructor(statements: StatementFactory<ChainSchema>, tables: TrieTables) {
    this.#tables = tables;
    this.#insert = statements.of<[number, Uint8Array]>()((db, [id, nodes]) =>
      db.insertInto("trie_page").values({ id, nodes }),
    );
    this.#update = statements.of<[id: number, nodes: Uint8Array]>()((db, [id, nodes]) =>
      db.updateTable("trie_page").set({ nodes }).where("id", "=", id),
    );
    this.#delete = statements.of<[id: number]>()((db, [id]) =>
      db.deleteFrom("trie_page").where("id", "=", id),
    );
    this.#deleteAbove = statements.of<[id: number]>()((db, [id]) =>
      db.deleteFrom("trie_page").where("id", ">", id),
    );
    this.#clear = statements.of<[]>()((db) => db.deleteFrom("trie_page"));
  }

  /**
   * Adds nodes in ascending order of their ids.
   *
   * @throws {RangeError} when an id exists already
   */
  add(added: readonly AddedNode[]): void {
    for (let from = 0; from < added.length;) {
      const page = pageOf((added[from] as AddedNode).id);
      const stored = this.#tables.page(page);
      const nodes = stored === undefined ? [] : unpackPage(stored, page);
      for (; from < added.length; from++) {
        const { id, bytes } = added[from] as AddedNode;
        if (pageOf(id) !== page) break;
        if (nodes[id % PAGE_NODES] !== undefined) {
          throw new RangeError(`there is a trie node ${id} already`);
        }
        nodes[id % PAGE_NODES] = bytes;
      }
      this.#store(page, nodes, stored !== undefined);
    }
  }

  /** Removes nodes; ids of the same page must be adjacent. */
  remove(ids: readonly number[]): void {
    for (let from = 0; from < ids.length;) {
      const page = pageOf(ids[from] as number);
      const stored = this.#tables.page(page);
      const nodes = stored === undefined ? [] : unpackPage(stored, page);
      for (; from < ids.length && pageOf(ids[from] as number) === page; from++) {
        nodes[(ids[from] as number) % PAGE_NODES] = undefined;
      }
      if (stored !== undefined) this.#store(page, nodes, true);
    }
  }

  removeAbove(id: number): void {
    const page = pageOf(id);
    this.#deleteAbove.run(page);
    const siblings = Array.from({ length: PAGE_NODES }, (_, place) => idAt(page, place));
    this.remove(siblings.filter((one) => one > id));
  }

  clear(): void {
    this.#clear.run();
  }

  #store(page: number, nodes: PageNodes, isStored: boolean): void {
    const bytes = packPage(nodes);
    if (bytes === undefined) this.#delete.run(page);
    else if (isStored) this.#update.run(page, bytes);
    else this.#insert.run(page, bytes);
    this.#tables.rememberPage(page, bytes);
  }
}
