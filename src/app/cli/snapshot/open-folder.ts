import { resolve } from "node:path";
import {
  Directory,
  HttpFolder,
  ObjectFolder,
  type ReadableFolder,
  type RemoteOptions,
  type WritableFolder,
} from "#io/folders/index.ts";
import { openObjectStore, readObjectStoreKeys, readObjectStoreUrl } from "#io/objects/index.ts";
import type { CliContext } from "../command.ts";
import { wrongCommandLine } from "../option-errors.ts";
import { shownWord } from "#base/primitives/index.ts";
import { STORE_FORM } from "#app/options/index.ts";

/** Retries for half a minute, starting at 1 s. */
const ATTEMPTS = { attempts: 6, pauseMs: 1_000 };

/** Context for opening a folder. */
export interface FolderContext extends Pick<CliContext, "environment" | "signal"> {
  /** File with the keys of a store; `null` when they are in the environment. */
  readonly credentialsFile: string | null;
}

/**
 * Opens the source of a snapshot: a directory, an address or a store.
 *
 * @throws {ConfigError} when the argument is invalid, or the store's keys are missing
 */
export function sourceOf(word: string, context: FolderContext): ReadableFolder {
  if (!/^https?:\/\//.test(word)) return targetOf(word, context);
  const url = URL.canParse(word) ? new URL(word) : undefined;
  if (url === undefined || url.search !== "" || url.hash !== "") {
    throw wrongCommandLine(
      shownWord(word),
      "is not the address of a folder: expected http(s)://HOST/PATH without a query",
    );
  }
  return new HttpFolder(word, remoteOptions(context));
}

/**
 * Opens the target of a snapshot: a directory or a store.
 *
 * @throws {ConfigError} as {@link sourceOf}
 */
export function targetOf(word: string, context: FolderContext): WritableFolder {
  if (!word.startsWith("s3://")) {
    if (!word.includes("://")) return new Directory(resolve(word));
    throw wrongCommandLine(shownWord(word), "is neither a directory nor a store");
  }
  const url = readObjectStoreUrl(word);
  if (url === undefined)
    throw wrongCommandLine(shownWord(word), `is not a store: expected ${STORE_FORM}`);
  const { credentialsFile, environment, signal } = context;
  const options = { ...url, credentialsFile };
  const store = openObjectStore(options, readObjectStoreKeys(options, environment), signal);
  return new ObjectFolder(store, remoteOptions(context));
}

function remoteOptions({ signal }: FolderContext): RemoteOptions {
  return { ...ATTEMPTS, signal };
}
