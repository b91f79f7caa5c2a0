import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import type { ObjectStoreOptions } from "./types.ts";

/** Credentials that sign requests. Never logged, never posted to another thread. */
export interface ObjectStoreKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Session token of temporary credentials; `null` for permanent ones. */
  readonly sessionToken: string | null;
}

/** Valid header text: the error of an invalid header would reveal its value. */
const VALUE = /^[\x21-\x7e]{1,16384}$/;

/** Permission bits of the group and of others. */
const OTHERS = 0o077;

/**
 * Reads the credentials of a store from its file, or from the environment.
 *
 * @throws {ConfigError} when a value is missing or invalid, or the file is accessible to others than its
 *   owner
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
  throw new ConfigError(
    `invalid ${name} in ${from} for the object store: only visible ASCII characters are allowed`,
  );
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

/** Check and read use the same open file, even if its path is replaced meanwhile. */
function readOwn(path: string): string {
  const file = openSync(path, "r");
  try {
    if ((fstatSync(file).mode & OTHERS) !== 0) {
      throw new ConfigError(
        `${path}: other users can access the keys of the object store; run chmod 600 on the file`,
      );
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
