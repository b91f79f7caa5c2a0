import type { Database } from "bun:sqlite";
import { FELT_BYTES, feltFromBytes } from "#base/primitives/index.ts";
import { nodeOf, pageOf } from "#io/storage/trie/page.ts";
import { spanLength, writeSpan } from "#protocol/trie/bits.ts";
import { NodeHashes, PEDERSEN, POSEIDON, type TrieHash } from "#protocol/trie/index.ts";
import { copyEdgeHash, HashRounds } from "#protocol/trie/hashing.ts";
import type { Edge } from "#protocol/trie/node.ts";
import { loadEdges, loadRootEdge, openEdge } from "#protocol/trie/open.ts";
import { resolveHash } from "#protocol/trie/resolve.ts";

const HEIGHT = 251;
const CLASSES = 1n;

interface Way {
  readonly id: number;
  readonly height: number;
  readonly hash: TrieHash;
  readonly isRoot: boolean;
}

/** Converts a database to schema version 4: a row for each trie node, with all hashes. */
export function toSchema4(connection: Database): void {
  const pages = new Map(
    connection
      .query<{ id: bigint; nodes: Uint8Array }, []>("select id, nodes from trie_page")
      .all()
      .map(({ id, nodes }) => [Number(id), nodes]),
  );
  const node = (id: number): Uint8Array | undefined => {
    const page = pages.get(pageOf(id));
    return page === undefined ? undefined : nodeOf(page, id);
  };
  connection.run(
    "create table trie_node (\n    id integer primary key,\n    bytes blob not null\n  ) strict",
  );
  const insert = connection.query("insert or replace into trie_node (id, bytes) values (?, ?)");
  const ways: Way[] = connection
    .query<{ kind: bigint; id: bigint }, []>(
      "select kind, node_id as id from trie_root where node_id > 0",
    )
    .all()
    .map(({ kind, id }) => ({
      id: Number(id),
      height: HEIGHT,
      hash: kind === CLASSES ? POSEIDON : PEDERSEN,
      isRoot: true,
    }));
  const seen = new Set<number>();
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const { id, height, hash, isRoot } = way;
    if (seen.has(id)) continue;
    seen.add(id);
    const source = { hashes: new NodeHashes(0), node };
    const rootEdge = isRoot ? loadRootEdge(source, { id, hash: 0n }, height) : null;
    const rows = rootEdge === null ? loadEdges(source, id, height) : [rootEdge];
    const rounds = new HashRounds(hash, source.hashes);
    const edges = rows.map((row, side) => {
      const child = openEdge(row, new Uint8Array(FELT_BYTES), 0, rows.length === 1 ? -1 : side);
      resolveHash(source, child, rounds);
      if (child.height > 0) ways.push({ id: child.id, height: child.height, hash, isRoot: false });
      return rounds.edge(child, row.topHeight);
    });
    rounds.run();
    insert.run(id, Uint8Array.of(rows.length === 1 ? 1 : 0, ...edges.flatMap(earlierEdge)));
  }
  connection.run("drop table trie_page");
  connection.run("delete from kysely_migration where name = '0005-trie-pages'");
  connection.run("pragma user_version = 4");
}

/** An edge in the format of `earlier-row.ts` of `protocol/trie`. */
function earlierEdge(edge: Edge): number[] {
  const { child, topHeight } = edge;
  const path = new Uint8Array(spanLength(topHeight, child.height));
  if (path.length > 0) writeSpan(path, 0, child.key, child.keyAt, topHeight, child.height);
  const edgeHash = new Uint8Array(FELT_BYTES);
  copyEdgeHash(edgeHash, 0, edge);
  const own = child.hash.slice(child.hashAt, child.hashAt + FELT_BYTES);
  const hex = feltFromBytes(own).toString(16);
  const value = Uint8Array.fromHex(hex.padStart(hex.length + (hex.length % 2), "0"));
  const id = new Uint8Array(8);
  new DataView(id.buffer).setBigUint64(0, BigInt(child.id));
  return [
    child.height,
    ...(path.length > 0 ? [...path, ...edgeHash] : []),
    ...(child.height > 0 ? [...own, ...id.subarray(2)] : [value.length, ...value]),
  ];
}
