import { closeSync, ftruncateSync, mkdirSync, openSync } from "node:fs";

/** Sufficient for a chain of some minutes. */
const SIZE_BYTES = 256 * 2 ** 20;

/** A separate disk whose writes can be made to hang; a hanging process cannot be killed. */
export interface FrozenDisk {
  /** Mount point. */
  readonly path: string;
  freeze(): void;
  /** Lets writes complete again; no effect if the disk is not frozen. */
  thaw(): void;
  /** Lets writes complete, and unmounts the disk. */
  [Symbol.dispose](): void;
}

/**
 * Creates a file system in a file and mounts it over a loop device.
 *
 * @param image - path of the file
 * @param path - mount point, which is created
 * @returns the disk, or a text if mounting fails: it requires root, and is not possible everywhere
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

/** Runs a command. @returns why it failed; `undefined` if it succeeded */
function run(...command: string[]): string | undefined {
  const [name = ""] = command;
  if (Bun.which(name) === null) return `${name} is missing`;
  const { success, stderr } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  return success ? undefined : `${name}: ${stderr.toString().trim()}`;
}
