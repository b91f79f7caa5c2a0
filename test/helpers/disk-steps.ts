import { mock } from "bun:test";
import * as fs from "node:fs";

/**
 * File operations of a program, in order: `fsync a`, `link a b`, `rename a b`, `mkdir a`, `rm a`.
 */
export interface DiskSteps extends Disposable {
  readonly steps: string[];
}

/**
 * Records operations of `node:fs` in a folder until disposal, and executes them; those of SQLite
 * are not seen.
 */
export function noteDiskSteps(folder: string): DiskSteps {
  const real = { ...fs };
  const steps: string[] = [];
  const paths = new Map<number, string>();
  const note = (step: string, ...of: readonly fs.PathLike[]): void => {
    if (of.every((path) => String(path).startsWith(folder))) {
      const names = of.map((path) => String(path).slice(folder.length + 1) || ".");
      steps.push([step, ...names].join(" "));
    }
  };
  const noting = {
    ...real,
    openSync(path: fs.PathLike, flags?: fs.OpenMode, mode?: fs.Mode): number {
      const descriptor = real.openSync(path, flags ?? "r", mode);
      paths.set(descriptor, String(path));
      return descriptor;
    },
    fsyncSync(descriptor: number): void {
      real.fsyncSync(descriptor);
      note("fsync", paths.get(descriptor) ?? "");
    },
    linkSync(from: fs.PathLike, to: fs.PathLike): void {
      real.linkSync(from, to);
      note("link", from, to);
    },
    renameSync(from: fs.PathLike, to: fs.PathLike): void {
      real.renameSync(from, to);
      note("rename", from, to);
    },
    mkdirSync(path: fs.PathLike, options?: fs.MakeDirectoryOptions): string | undefined {
      note("mkdir", path);
      return real.mkdirSync(path, options);
    },
    rmSync(path: fs.PathLike, options?: fs.RmOptions): void {
      if (real.existsSync(path)) note("rm", path);
      real.rmSync(path, options);
    },
  };
  void mock.module("node:fs", () => noting);
  return { steps, [Symbol.dispose]: () => void mock.module("node:fs", () => real) };
}
