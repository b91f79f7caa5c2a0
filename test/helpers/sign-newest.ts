import { Database } from "bun:sqlite";
import { bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import { decodeHeader, signBlock } from "#protocol/chain/index.ts";

/**
 * Signs the newest block of a closed chain with another key, so that a sequencer continues it with
 * that key.
 *
 * @param chainDatabase - path of the chain database
 */
export function signNewest(chainDatabase: string, privateKey: Felt): void {
  using database = new Database(chainDatabase);
  const row = database
    .query<{ number: number; header: Uint8Array }, []>(
      "select number, header from block order by number desc limit 1",
    )
    .get();
  if (row === null) throw new TypeError("the chain has no block");
  const { r, s } = signBlock(privateKey, decodeHeader(row.header));
  database.run("update block set signature_r = ?, signature_s = ? where number = ?", [
    bytesFromFelt(r),
    bytesFromFelt(s),
    row.number,
  ]);
}
