import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  CHAIN_SCHEMA_VERSION,
  createChainReader,
  fileReport,
  openDatabase,
  replacedTrieNodes,
  tableReports,
} from "#io/storage/index.ts";
import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { printable } from "../printable.ts";
import { EXIT } from "../report.ts";
import { type DataFolder, dataFolder } from "./data-folder.ts";
import { laterStartText } from "./first-block.ts";
import { dbInfoOptions } from "./options.ts";
import { sizeText } from "./sizes.ts";

/** Implements `appchain db info`: prints `name: value` lines. */
export async function runDbInfo(argv: readonly string[], context: CliContext): Promise<number> {
  const { options } = parseArguments(dbInfoOptions, argv, context.environment, NO_WORDS);
  const folder = dataFolder(options.basePath);
  const say = (name: string, value: string | number): void =>
    context.out(printable(`${name}: ${value}`));
  say("folder", folder.path);
  say("chain_id", folder.chainId);
  const { schemaVersion } = folder;
  const isOld = schemaVersion < CHAIN_SCHEMA_VERSION;
  const note = isOld ? ` (starting a node upgrades it to ${CHAIN_SCHEMA_VERSION})` : "";
  say("schema_version", `${schemaVersion}${note}`);
  if (!isOld) await sayChain(folder, say);
  for (const [name, sizeBytes] of filesOf(folder.path)) say(`file ${name}`, sizeText(sizeBytes));
  const { pageBytes, pages, freePages, eventIndexForm } = fileReport(folder.chainDatabase);
  say("page_size", sizeText(pageBytes));
  say("free_pages", `${freePages} of ${pages} (${sizeText(freePages * pageBytes)})`);
  if (!isOld) say("event_index_form", eventIndexForm);
  if (options.quick) return EXIT.ok;
  for (const { name, sizeBytes, rows } of tableReports(folder.chainDatabase)) {
    say(`table ${name}`, `${sizeText(sizeBytes)}, ${rows} rows`);
  }
  const replaced = replacedTrieNodes(folder.chainDatabase);
  say("replaced_trie_nodes", `${replaced} (needed for older proofs, or waiting for deletion)`);
  return EXIT.ok;
}

async function sayChain(
  { chainDatabase, chainId }: DataFolder,
  say: (name: string, value: string | number) => void,
): Promise<void> {
  const handle = await openDatabase({
    path: chainDatabase,
    chainId,
    mode: "reader",
    durability: "normal",
  });
  try {
    const chain = createChainReader(handle);
    const latest = chain.latestNumber();
    const header = latest === undefined ? undefined : chain.header(latest);
    if (header === undefined) {
      say("blocks", 0);
      return;
    }
    const oldest = chain.oldestBlock();
    say("blocks", header.number + 1 - oldest);
    if (oldest > 0) say("oldest_block", `${oldest} (${await laterStartText(chain)})`);
    say("newest_block", `${header.number}, ${hexFromFelt(header.hash)}`);
    say("newest_block_time", new Date(header.timestamp * 1000).toISOString());
    say("protocol_version", header.protocolVersion);
    say("l1_accepted_block", chain.l1AcceptedNumber() ?? "none");
    say("oldest_state_block", chain.oldestStateBlock());
    say("oldest_proof_block", chain.oldestTrieBlock());
  } finally {
    handle.close();
  }
}

/** Returns the files of a folder with their sizes, by name. */
function filesOf(folder: string): readonly (readonly [string, number])[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      // A running node may delete a file at any moment.
      const found = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
      return found?.isFile() === true ? [[name, found.size] as const] : [];
    });
}
