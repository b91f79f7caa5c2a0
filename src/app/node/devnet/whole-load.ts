import { DevnetFault } from "#api/rpc/index.ts";
import { StorageError } from "#base/errors/index.ts";

/** Undoes a load that does not complete. */
export interface LoadUndo {
  /** Keeps the chain as it is now. @throws {StorageError} when that is impossible */
  readonly keep: () => void;
  /** Deletes what was kept. @throws {StorageError} when that is impossible */
  readonly forget: () => void;
  /** Continues with the chain that was kept. */
  readonly undo: () => Promise<void>;
}

/**
 * Runs a load, after whose failure the chain is as before.
 *
 * @param isStart - whether the node is starting: a failure stops it, and the next start undoes the load
 * @throws {DevnetFault} when the chain cannot be kept meanwhile; errors of `load`
 */
export async function wholeLoad(
  undo: LoadUndo,
  load: () => Promise<void>,
  isStart: boolean,
): Promise<void> {
  try {
    undo.keep();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new DevnetFault(error.message);
  }
  try {
    await load();
  } catch (error) {
    if (!isStart) await undo.undo();
    throw error;
  }
  undo.forget();
}
