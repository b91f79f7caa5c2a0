import { NodeError } from "#base/errors/index.ts";
import type { NodeHost } from "./node-host.ts";
import type { NodeOptions } from "./node-options.ts";

/** Starts the parts of a node on a host; `generation` can replace them. */
export type StartParts<Kept> = (
  options: NodeOptions,
  host: NodeHost,
  generation: Generation<Kept>,
) => Promise<void>;

/** Parts of a node that run together, until the node stops or others replace them. */
export interface Generation<Kept> {
  /** Whether these parts replaced others in the same process. */
  readonly isRenewal: boolean;
  /** Whether other parts replace these ones, so that a stop of them is no stop of the node. */
  readonly isReplaced: boolean;
  /**
   * Opens what all generations share; later calls return the same. It is disposed after the parts.
   *
   * @throws errors of `open`
   */
  keep(open: (host: NodeHost) => Promise<Kept>): Promise<Kept>;
  /**
   * Stops these parts, and starts new ones with other options. When that fails, the node stops.
   *
   * @throws {NodeError} NODE_STOPPING when the node is stopping; errors of the start
   */
  replace(options: NodeOptions): Promise<void>;
}

/**
 * Starts the parts of a node, which can be replaced while the process runs.
 *
 * @throws errors of `start`
 */
export function startRenewable<Kept>(
  options: NodeOptions,
  host: NodeHost,
  start: StartParts<Kept>,
): Promise<void> {
  const { disposables: all, lifecycle } = host;
  // Added before the parts, so that it is disposed after them.
  const keeping = { ...host, disposables: all.use(new AsyncDisposableStack()) };
  let kept: Promise<Kept> | undefined;
  const begin = async (next: NodeOptions, isRenewal: boolean): Promise<void> => {
    const disposables = all.use(new AsyncDisposableStack());
    let isReplaced = false;
    await start(
      next,
      { ...host, disposables },
      {
        isRenewal,
        get isReplaced() {
          return isReplaced;
        },
        keep: (open) => (kept ??= open(keeping)),
        async replace(other) {
          isReplaced = true;
          try {
            await disposables.disposeAsync();
            if (lifecycle.isStopping) {
              throw new NodeError("NODE_STOPPING", "the node is stopping");
            }
            await begin(other, true);
          } catch (error) {
            lifecycle.fail(error);
            throw error;
          }
        },
      },
    );
  };
  return begin(options, false);
}
