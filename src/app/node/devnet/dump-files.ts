import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { DecodeError } from "#base/errors/index.ts";
import { type JsonValue, parseJson } from "#base/codec/index.ts";
import { DevnetFault } from "#api/rpc/index.ts";
import { replaceFile } from "#io/storage/index.ts";
import type { RpcOptions } from "../setup/node-options.ts";
import { ownFileAt } from "../storage/folder/own-files.ts";
import type { NodeFiles } from "../setup/node-files.ts";

/** Maximum size of a dump that is loaded, in bytes. */
export const MAX_DUMP_BYTES: number = 256 << 20;

/** Maximum nesting of a dump: a class in an array of requests. */
const MAX_DEPTH = 128;

/** Addresses that are reachable only from this machine. */
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Prefix of every dump, and hardly of any other file. */
const DUMP_START = '[{"jsonrpc"';

/** File mode of a dump: private, the operator decides who reads it. */
const DUMP_MODE = 0o600;

/** Dependencies of {@link DumpFiles}. */
export interface DumpFilesDeps {
  readonly rpc: Pick<RpcOptions, "host" | "cors">;
  /** File of `--dump-path`; `null` if the option is absent. */
  readonly path: string | null;
  readonly files: Pick<NodeFiles, "folder" | "signingKey">;
}

/**
 * Reads and writes dump files. If only this machine reaches the server, requests may name any file, since
 * local programs can access them anyway. Otherwise only the file of `--dump-path` is allowed. A file that is
 * not a dump is never overwritten, and responses never reveal a file's content.
 */
export class DumpFiles {
  readonly #deps: DumpFilesDeps;

  constructor(deps: DumpFilesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the JSON document of a file.
   *
   * @throws {DevnetFault} when it cannot be read, is too large, is not JSON, or may not be named
   */
  async read(path: string): Promise<JsonValue> {
    const place = this.#placeOf(path);
    const found = attempt(path, "read", () => statSync(place, { throwIfNoEntry: false }));
    if (found === undefined) throw new DevnetFault("The file does not exist");
    checkRegular(path, found);
    if (found.size > MAX_DUMP_BYTES) {
      throw new DevnetFault(
        `${path} has ${found.size} bytes, a dump has at most ${MAX_DUMP_BYTES}`,
      );
    }
    try {
      return parseJson(await Bun.file(place).text(), {
        maxDepth: MAX_DEPTH,
        maxLength: MAX_DUMP_BYTES,
      });
    } catch (error) {
      if (error instanceof DecodeError) throw new DevnetFault(`${path} is no dump: expected JSON`);
      return fail(path, "read", error);
    }
  }

  /**
   * Writes a file completely or not at all.
   *
   * @throws {DevnetFault} when it cannot be written, is not a dump, or may not be named
   */
  write(path: string, text: string): void {
    const place = this.#placeOf(path);
    const found = attempt(path, "written", () => statSync(place, { throwIfNoEntry: false }));
    if (found !== undefined) {
      checkRegular(path, found);
      const start = attempt(path, "read", () => startOf(place));
      if (start !== "" && start !== "[]" && start !== DUMP_START) {
        throw new DevnetFault(`${path} holds something else than a dump: name another file`);
      }
    }
    attempt(path, "written", () =>
      replaceFile(found === undefined ? place : realpathSync(place), text, DUMP_MODE),
    );
  }

  #placeOf(path: string): string {
    const { rpc, path: allowed, files } = this.#deps;
    const place = resolve(path);
    const isLocal = LOCAL.test(rpc.host) && rpc.cors !== "all";
    if (!isLocal && place !== allowed) {
      throw new DevnetFault(
        "path: expected the file of --dump-path: other machines or web pages can reach this node, so that no other file may be named",
      );
    }
    const own = attempt(path, "read", () =>
      ownFileAt(place, files.folder, [files.signingKey.path]),
    );
    if (own !== undefined) {
      throw new DevnetFault(`${path} is the node's own file: name another file`);
    }
    return place;
  }
}

function checkRegular(path: string, found: Stats): void {
  if (found.isDirectory()) throw new DevnetFault(`I/O error: ${path} is a folder: name a file`);
  if (!found.isFile())
    throw new DevnetFault(`I/O error: ${path} is no regular file: name another file`);
}

function startOf(place: string): string {
  const file = openSync(place, "r");
  try {
    const bytes = new Uint8Array(DUMP_START.length);
    const length = readSync(file, bytes);
    return new TextDecoder().decode(bytes.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

function attempt<T>(path: string, what: "read" | "written", step: () => T): T {
  try {
    return step();
  } catch (error) {
    return fail(path, what, error);
  }
}

function fail(path: string, what: "read" | "written", cause: unknown): never {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const reason = typeof code === "string" ? code : "unknown reason";
  throw new DevnetFault(`I/O error: ${path} cannot be ${what} (${reason})`);
}
