import { existsSync } from "node:fs";
import { wrongCommandLine } from "../option-errors.ts";
import { resolve } from "node:path";
import type { Felt } from "#base/primitives/index.ts";
import {
  createIntegrityReader,
  fileIdentity,
  isUnwritten,
  openDatabase,
} from "#io/storage/index.ts";
import {
  checkChain,
  type CheckOptions,
  type CheckProgress,
  type CheckResult,
  type Difference,
  type OtherChainId,
  type Recompile,
} from "#services/maintenance/index.ts";
import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { printable } from "../printable.ts";
import { EXIT } from "../report.ts";
import { type DataFolder, dataFolder } from "./data-folder.ts";
import { laterStartText } from "./first-block.ts";
import { dbCheckOptions } from "./options.ts";
import { ProgressLine } from "./progress-line.ts";

/** Implements `appchain db check`: exit code 1 and the first difference, if there is one. */
export async function runDbCheck(argv: readonly string[], context: CliContext): Promise<number> {
  const { options } = parseArguments(dbCheckOptions, argv, context.environment, NO_WORDS);
  const { from, to } = options;
  if (from !== null && to !== null && from > to) {
    const message = `is ${from}, and --to is ${to}: there are no blocks to check`;
    throw wrongCommandLine("--from", message);
  }
  const folder = dataFolder(options.basePath);
  const expectedKey = options.publicKey ?? (await keyOf(folder, options.privateKeyFile));
  const recompile = options.recompile ? await recompiling() : null;
  const range = { from, to };
  const { publicKey, isFork, ...result } = await check(
    folder,
    { ...range, publicKey: expectedKey, recompile },
    context,
  );
  if (result.difference !== undefined) {
    context.err(printable(`error: ${differenceText(result.difference)}`));
    return EXIT.runtime;
  }
  if (result.blocks === 0 && (from !== null || to !== null)) {
    context.err("error: the chain has no such blocks");
    return EXIT.runtime;
  }
  const { blocks, transactions, tries } = result;
  context.out(`no difference in ${blocks} blocks with ${transactions} transactions`);
  if (isFork) context.out(await uncheckedRootsText());
  else if (tries < blocks)
    context.out(`tries are kept, and were checked, for ${tries} of these blocks`);
  if (options.recompile) {
    const { classes, recompiled } = result;
    context.out(`${recompiled} of ${classes} classes compile to the same code with the same hints`);
    if (recompiled < classes) context.out("the others were compiled by other compiler versions");
  }
  if (publicKey === null) {
    context.out("signatures were not checked: set --private-key-file or --public-key");
  }
  return EXIT.ok;
}

function differenceText({ blockNumber, table, field, message }: Difference): string {
  const where = blockNumber === null ? "" : `block ${blockNumber}, `;
  return `${where}table ${table}, ${field}: ${message}`;
}

async function check(
  folder: DataFolder,
  what: Pick<CheckOptions, "from" | "to" | "publicKey" | "recompile">,
  { signal, terminal }: CliContext,
): Promise<CheckResult & Pick<CheckOptions, "publicKey" | "isFork">> {
  const handle = await openDatabase({
    path: folder.chainDatabase,
    chainId: folder.chainId,
    mode: "reader",
    durability: "normal",
  });
  const nowMs = (): number => performance.now();
  const line = new ProgressLine(terminal, nowMs);
  const onProgress = (progress: CheckProgress): void => {
    if (progress.phase === "file") line.say("checking the file");
    else line.share("checking blocks", progress.done, progress.total);
  };
  try {
    const reader = createIntegrityReader(handle);
    const { oldest } = reader.marks();
    if (what.from !== null && what.from < oldest) {
      const why = await laterStartText(reader.chain);
      throw wrongCommandLine(
        "--from",
        `is ${what.from}, and the oldest block is ${oldest}: ${why}`,
      );
    }
    // A full node stores the public key that its blocks are signed with.
    const { keptPublicKey } = await import("#services/sync/index.ts");
    const publicKey = what.publicKey ?? keptPublicKey(reader.chain) ?? null;
    const { forkOfChain } = await import("#app/node/index.ts");
    const isFork = forkOfChain(reader.chain) !== undefined;
    const result = await checkChain(reader, {
      ...what,
      isFork,
      publicKey,
      otherChainIds: otherChainIds(folder),
      signal,
      nowMs,
      pause: () => new Promise((done) => setImmediate(done)),
      onProgress,
    });
    return { ...result, publicKey, isFork };
  } finally {
    line.end();
    handle.close();
  }
}

async function uncheckedRootsText(): Promise<string> {
  const { LOCAL_ROOTS } = await import("#app/node/index.ts");
  return `tries and state roots were not checked: ${LOCAL_ROOTS}`;
}

/** Compiles classes without the networks' limits, because stored classes have already been accepted. */
async function recompiling(): Promise<Recompile> {
  const { compileClass, CompileError } = await import("#engine/sierra/index.ts");
  return (contractClass) => {
    try {
      return compileClass(contractClass, { maxBytecodeSize: Infinity, libfuncs: "all" });
    } catch (error) {
      if (error instanceof CompileError) return undefined;
      throw error;
    }
  };
}

/** Chain ids of the files next to the database. */
function otherChainIds({ mempoolDatabase }: DataFolder): readonly OtherChainId[] {
  if (!existsSync(mempoolDatabase) || isUnwritten(mempoolDatabase)) return [];
  return [{ file: mempoolDatabase, chainId: fileIdentity(mempoolDatabase).chainId }];
}

/**
 * Public key of the block signer; `null` when the data directory has no key, since the node uses an external
 * one.
 */
async function keyOf(folder: DataFolder, privateKeyFile: string | null): Promise<Felt | null> {
  const { nodeFiles, loadSigningKey } = await import("#app/node/index.ts");
  const keyFile = privateKeyFile === null ? null : resolve(privateKeyFile);
  const { path } = nodeFiles(folder.path, keyFile).signingKey;
  if (keyFile === null && !existsSync(path)) return null;
  return loadSigningKey({ path, mayCreate: false }).publicKey;
}
