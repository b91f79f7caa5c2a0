import { existsSync } from "node:fs";
import { wrongCommandLine } from "../option-errors.ts";
import { resolve } from "node:path";
import { NodeError } from "#base/errors/index.ts";
import { writeBackup } from "#io/storage/index.ts";
import type { CliContext } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { VERSION } from "../version.ts";
import { dataFolder } from "./data-folder.ts";
import { BACKUP_WORDS, dbBackupOptions } from "./options.ts";
import { ProgressLine } from "./progress-line.ts";
import { sizeText } from "./sizes.ts";

/** Implements `appchain db backup FILE`: a node may be running. */
export async function runDbBackup(argv: readonly string[], context: CliContext): Promise<number> {
  const { options, positionals } = parseArguments(
    dbBackupOptions,
    argv,
    context.environment,
    BACKUP_WORDS,
  );
  const target = resolve(positionals[0] ?? "");
  const folder = dataFolder(options.basePath);
  const { nodeFiles, loadSigningKey } = await import("#app/node/index.ts");
  const key = nodeFiles(folder.path, null).signingKey.path;
  if (options.withKey && !existsSync(key)) {
    const message = `there is no key in ${folder.path}: the node uses an external one, which you must keep yourself`;
    throw wrongCommandLine("--with-key", message);
  }
  // Validate the key now: otherwise a damaged one would be noticed only when the backup is needed.
  if (options.withKey) loadSigningKey({ path: key, mayCreate: false });
  const line = new ProgressLine(context.terminal, () => performance.now());
  line.say(`copying ${folder.chainDatabase}`);
  try {
    const { manifest, sizeBytes, sha256 } = await writeBackup({
      chainDatabase: folder.chainDatabase,
      mempoolDatabase: folder.mempoolDatabase,
      keyFile: options.withKey ? key : null,
      target,
      program: VERSION,
      createdAt: new Date(),
      onStep: (done, total) => stepOf(line, "backup", done, total, context.signal),
    });
    line.end();
    context.out(`chain_id: ${manifest.chainId}`);
    context.out(`newest_block: ${manifest.newestBlock ?? "none"}`);
    context.out(`contains: ${manifest.parts.map(({ name }) => name).join(", ")}`);
    context.out(`size: ${sizeText(sizeBytes)}`);
    context.out(`sha256: ${sha256}`);
    return EXIT.ok;
  } finally {
    line.end();
  }
}

/** Shows the progress, and stops the work when the signal is aborted. */
export async function stepOf(
  line: ProgressLine,
  what: string,
  done: number,
  total: number,
  signal: AbortSignal,
): Promise<void> {
  line.share(what, done, total);
  await new Promise((turn) => setImmediate(turn));
  if (signal.aborted) throw new NodeError("NODE_STOPPED", `stopped before the end of the ${what}`);
}
