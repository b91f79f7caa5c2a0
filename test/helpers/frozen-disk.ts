import { closeSync, ftruncateSync, mkdirSync, openSync } from "node:fs";

/** Large enough for a chain of some minutes. */
const SIZE_BYTES = 256 * 2 ** 20;

/** A disk of its own, every write to which can be made to hang; what hangs cannot be killed either. */
export interface FrozenDisk {
  /** Where it is mounted. */
  readonly path: string;
  freeze(): void;
  /** Lets writes complete again; without effect on a disk that is not frozen. */
  thaw(): void;
  /** Lets writes complete, and takes the disk away. */
  [Symbol.dispose](): void;
}

/**
 * Makes a file system in a file and mounts it over a loop device.
 *
 * @param image - path of the file
 * @param path - folder to mount it on; made
 * @returns a text why there is none: only the superuser may mount, and not everywhere
 */
export function openFrozenDisk(image: string, path: string): FrozenDisk | string {
  mkdirSync(path, { recursive: true });
  const file = openSync(image, "w");
  ftruncateSync(file, SIZE_BYTES);
  closeSync(file);
  const failure =
    run("mkfs.ext4", "-q", image) ??
    run("mount", "-o", "loop", image, path) ??
    (run("fsfreeze", "--freeze", path) && (run("umount", path) ?? "fsfreeze is refused"));
  if (failure !== undefined) return failure;
  let isFrozen = true;
  const thaw = (): void => {
    if (isFrozen) run("fsfreeze", "--unfreeze", path);
    isFrozen = false;
  };
  thaw();
  return {
    path,
    freeze() {
      isFrozen = true;
      const failed = run("fsfreeze", "--freeze", path);
      if (failed !== undefined) throw new TypeError(failed);
    },
    thaw,
    [Symbol.dispose]() {
      thaw();
      run("umount", path);
    },
  };
}

/** @returns why the command failed; `undefined`: it did not */
function run(...command: string[]): string | undefined {
  const [name = ""] = command;
  if (Bun.which(name) === null) return `${name} is missing`;
  const { success, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  return success ? undefined : `${name}: ${stderr.toString().trim()}`;
}
