import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds a digest to compiled code: no hash of the chain covers hints. */
export const casmDigest: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table class add column casm_digest blob`.execute(db);
    const found = await sql<{ id: bigint }>`
      select rowid as id from class where casm is not null`.execute(db);
    // One by one: a class can take megabytes.
    for (const { id } of found.rows) {
      const { rows } = await sql<{ casm: Uint8Array }>`
        select casm from class where rowid = ${id}`.execute(db);
      for (const { casm } of rows) {
        const digest = new Bun.CryptoHasher("sha256").update(casm).digest();
        await sql`update class set casm_digest = ${digest} where rowid = ${id}`.execute(db);
      }
    }
  },
};
