import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import type { ObjectStoreOptions } from "./types.ts";

/** What requests are signed with. Never logged, never posted to another thread. */
export interface ObjectStoreKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of keys that hold for a while; `null`: they hold for good. */
  readonly sessionToken: string | null;
}

/** What can stand in a header: a wrong value would be shown by whoever refuses to send it. */
const VALUE = /^[\x21-\x7e]{1,16384}$/;

/** Bits of those who are not the owner. */
const OTHERS = 0o077;

/**
 * The keys of a store: of its file, or else of the environment.
 *
 * @throws {ConfigError} when one is missing or cannot be one, or others than its owner can read the file
 */
export function readObjectStoreKeys(
  { credentialsFile }: Pick<ObjectStoreOptions, "credentialsFile">,
  environment: Readonly<Record<string, string | undefined>>,
): ObjectStoreKeys {
  const values = credentialsFile === null ? environment : readKeyFile(credentialsFile);
  const from = credentialsFile ?? "the environment";
  return {
    accessKeyId: required(values, "AWS_ACCESS_KEY_ID", from),
    secretAccessKey: required(values, "AWS_SECRET_ACCESS_KEY", from),
    sessionToken: valueOf(values, "AWS_SESSION_TOKEN", from) ?? null,
  };
}

type Values = Readonly<Record<string, string | undefined>>;

function required(values: Values, name: string, from: string): string {
  const value = valueOf(values, name, from);
  if (value !== undefined) return value;
  throw new ConfigError(`the object store needs ${name}: it is not in ${from}`);
}

function valueOf(values: Values, name: string, from: string): string | undefined {
  const value = values[name]?.trim() ?? "";
  if (value === "") return undefined;
  if (VALUE.test(value)) return value;
  throw new ConfigError(`the object store cannot use ${name} of ${from}: it has other characters`);
}

function readKeyFile(path: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readOwn(path);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError(
      `${path}: the file with the keys of the object store cannot be read`,
      [],
      {
        cause,
      },
    );
  }
  const pairs = [...text.matchAll(/^\s*(AWS_[A-Z_]+)\s*=\s*(.*?)\s*$/gm)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
}

/** The file that is looked at is the one that is read, whoever changes names in between. */
function readOwn(path: string): string {
  const file = openSync(path, "r");
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0) {
      throw new ConfigError(
        `${path}: others than its owner can read the keys of the object store; chmod 600 it`,
      );
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
