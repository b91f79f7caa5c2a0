import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  casmClassFromJson,
  compiledClassHash,
  type ExecutableClass,
  legacyClassHash,
  legacyExecutableFromJson,
  sierraClassFromJson,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ClassPaths } from "./input.ts";

/** A class of a scenario; Cairo 0 classes have no compiled class hash. */
export interface LoadedClass {
  readonly classHash: Felt;
  readonly executable: ExecutableClass;
  readonly poseidonHash: Felt | undefined;
  readonly blakeHash: Felt | undefined;
}

const cache = new Map<string, LoadedClass>();

/** Loads a class, compiled by this project if there is only Sierra; once per process. */
export function loadClass(paths: ClassPaths, base: string, at: string): LoadedClass {
  const key = JSON.stringify([base, paths], (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  let loaded = cache.get(key);
  if (loaded === undefined) cache.set(key, (loaded = load(paths, base, at)));
  return loaded;
}

function load(paths: ClassPaths, base: string, at: string): LoadedClass {
  const read = (path: string): string => readFileSync(resolve(base, path), "utf8");
  if (paths.cairo0 !== undefined) {
    const json = read(paths.cairo0);
    const classHash = paths.class_hash ?? legacyClassHash({ kind: "legacy", json });
    const executable = legacyExecutableFromJson(json, classHash);
    return {
      classHash,
      executable: { ...executable, abiLength: Number(paths.abi_length ?? executable.abiLength) },
      poseidonHash: undefined,
      blakeHash: undefined,
    };
  }
  const sierra = paths.sierra === undefined ? undefined : sierraClassFromJson(read(paths.sierra));
  const casm =
    paths.casm === undefined
      ? sierra && compileClass(sierra, { maxBytecodeSize: 2 ** 20, libfuncs: "all" })
      : casmClassFromJson(read(paths.casm));
  if (casm === undefined) throw new DecodeError(`${at}.casm`, "path of compiled code");
  const classHash = paths.class_hash ?? (sierra && sierraClassHash(sierra));
  if (classHash === undefined) throw new DecodeError(`${at}.class_hash`, "felt");
  const [major, minor, patch] =
    sierra === undefined
      ? (paths.sierra_version ?? "1.7.0").split(".").map(Number)
      : sierra.sierraProgram.slice(0, 3).map(Number);
  return {
    classHash,
    executable: {
      classHash,
      casm,
      sierraVersion: [major ?? 0, minor ?? 0, patch ?? 0],
      sierraProgramLength: sierra?.sierraProgram.length ?? 1,
      abiLength: Number(paths.abi_length ?? BigInt(sierra?.abi.length ?? 0)),
    },
    poseidonHash: compiledClassHash(casm, "poseidon"),
    blakeHash: compiledClassHash(casm, "blake"),
  };
}
