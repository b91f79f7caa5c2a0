import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { type BlockHeader, decodeHeader, encodeHeader } from "#protocol/chain/index.ts";

/** Fork block of a fork database, with what a start needs while the origin does not respond. */
export interface StoredFork {
  /** Chain id of the origin as text. */
  readonly chainId: string;
  readonly header: BlockHeader;
  /** Headers of the blocks before it, in ascending order. */
  readonly ancestors: readonly BlockHeader[];
}

/** Encodes the headers of a fork: the ancestors, then the fork block. */
export function encodeForkHeaders({ header, ancestors }: StoredFork): Uint8Array {
  const writer = new ByteWriter(8192);
  writer.array([...ancestors, header], (w, each) => w.bytes(encodeHeader(each)));
  return writer.finish();
}

/**
 * Decodes the result of {@link encodeForkHeaders}.
 *
 * @returns `undefined` when there is no header
 * @throws {DecodeError} for other bytes
 */
export function decodeForkHeaders(bytes: Uint8Array): Omit<StoredFork, "chainId"> | undefined {
  const reader = new ByteReader(bytes, "headers of a fork");
  const headers = reader.array((r) => decodeHeader(r.bytes()));
  reader.end();
  const header = headers.pop();
  return header === undefined ? undefined : { header, ancestors: headers };
}
