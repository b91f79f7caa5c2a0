import { OriginError } from "#base/errors/index.ts";
import { forkedOptions } from "../../setup/fork/forked-options.ts";
import { checkOrigin, pinOrigin } from "../../setup/fork/pin-origin.ts";
import { type ForkOptions, type ForkPin, originsOf } from "../../setup/fork.ts";
import { nodeFiles } from "../../setup/node-files.ts";
import type { NodeHost } from "../../setup/node-host.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { ForkOrigin } from "./prepare-fork.ts";
import { recordedFork } from "./recorded-fork.ts";

/** Options of a node whose fork block, if any, is known. */
export interface OpenedOrigin {
  /** On a fork, with what the origin decides. */
  readonly options: NodeOptions;
  /** Origin of the first block; `null` on a chain that is no fork. */
  readonly origin: ForkOrigin | null;
}

/**
 * Finds the block that a fork continues: the recorded one of its folder, or the requested one of the origin.
 * A chain that is no fork needs none.
 *
 * @throws {ConfigError} when the folder has another chain than the requested fork
 * @throws {OriginError} when a new fork cannot be made, or the origin of an old one has another block now
 */
export async function openOrigin(
  options: NodeOptions,
  { log }: Pick<NodeHost, "log">,
): Promise<OpenedOrigin> {
  const { fork, signal, reset } = options;
  if (fork === null) return { options, origin: null };
  const files = nodeFiles(options.basePath, options.privateKeyFile);
  const recorded = reset ? undefined : await recordedFork({ files, block: fork.block });
  const origin =
    recorded === undefined
      ? await pinOrigin(fork, log, signal)
      : await resume(fork, recorded, { log, signal });
  return { options: await forkedOptions({ ...options, fork }, origin.pin), origin };
}

/** Continues a fork, without its origin if that does not respond. */
async function resume(
  fork: ForkOptions,
  pin: ForkPin,
  { log, signal }: Pick<NodeHost, "log"> & Pick<NodeOptions, "signal">,
): Promise<ForkOrigin> {
  const reason = await checkOrigin(fork, pin, signal);
  if (reason !== undefined) {
    const names = originsOf(fork).join(", ");
    log.warn(`the fork continues with the values that it has read before: ${names}: ${reason}`);
  }
  return { pin, answer: () => Promise.reject(alreadyBegun()) };
}

function alreadyBegun(): OriginError {
  return new OriginError("ORIGIN_FAILED", "the first block of the fork exists already", false);
}
