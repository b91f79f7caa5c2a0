import { Database } from "bun:sqlite";
import { BINARY } from "./binary.ts";

/** Exit code, output and duration of a run of `appchain db`. */
export interface DbRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
}

/** Runs the compiled `appchain db` with these arguments until it exits. */
export async function db(...words: readonly string[]): Promise<DbRun> {
  const startMs = performance.now();
  const child = Bun.spawn([BINARY, "db", ...words], {
    cwd: "/",
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err, ms: performance.now() - startMs };
}

/** Starts a command and kills it after a while; it may exit before. */
export async function killedDb(afterMs: number, ...words: readonly string[]): Promise<void> {
  const child = Bun.spawn([BINARY, "db", ...words], {
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(afterMs);
  child.kill("SIGKILL");
  await child.exited;
}

/** Digest of all contents of a database, independent of its page layout. */
export function contentsDigest(path: string): string {
  using database = new Database(path, { readonly: true, strict: true, safeIntegers: true });
  const tables = database
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' order by name",
    )
    .all();
  const hash = new Bun.CryptoHasher("sha256");
  for (const { name } of tables) {
    hash.update(`table ${name}`);
    for (const row of database.query(`select * from "${name}"`).iterate()) {
      for (const value of Object.values(row as object)) {
        hash.update(value instanceof Uint8Array ? value : String(value));
      }
    }
  }
  return hash.digest("hex");
}
