import { OriginError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { type ForkedNodeOptions, forkedOptions } from "../../setup/fork/forked-options.ts";
import { checkOrigin, pinOrigin } from "../../setup/fork/pin-origin.ts";
import { type ForkOptions, type ForkPin, originsOf } from "../../setup/fork.ts";
import { type NodeFiles, nodeFiles } from "../../setup/node-files.ts";
import type { NodeHost } from "../../setup/node-host.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { ForkOrigin } from "./prepare-fork.ts";
import { otherFork } from "./fork-metadata.ts";
import { recordedFork, type RecordedOriginal, recordedOriginal } from "./recorded-fork.ts";

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
  const { original } = origin;
  const begun = original ?? (recorded === undefined ? undefined : await originalOf(fork, files));
  const forked = await forkedOptions({ ...options, fork }, conditionsOf(origin.pin, begun));
  return { options: begun === undefined ? forked : sequencedAs(begun.header, forked), origin };
}

/** Returns the pin with the header whose version and prices the chain has. */
function conditionsOf(pin: ForkPin, begun: Pick<RecordedOriginal, "header"> | undefined): ForkPin {
  return begun === undefined ? pin : { ...pin, header: begun.header };
}

/** A fork before a transaction has the sequencer of its block, which contracts can read. */
function sequencedAs(
  { sequencerAddress }: BlockHeader,
  options: ForkedNodeOptions,
): ForkedNodeOptions {
  const { chain, fork } = options;
  if (fork.changedFields.has("sequencer_address")) return options;
  return { ...options, chain: { ...chain, sequencerAddress } };
}

/** @throws {ConfigError} when the chain does not start before the requested transaction */
async function originalOf(
  { transaction }: ForkOptions,
  files: NodeFiles,
): Promise<RecordedOriginal | undefined> {
  const recorded = await recordedOriginal(files);
  if (transaction === null || transaction === recorded?.transactionHash) return recorded;
  const made =
    recorded === undefined
      ? "the chain starts after a whole block"
      : `the chain starts before transaction ${hexFromFelt(recorded.transactionHash)}`;
  const message = `${made}, not before ${hexFromFelt(transaction)}`;
  throw otherFork(files.folder, "--fork-transaction", message);
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
  return { pin, original: null, answer: () => Promise.reject(alreadyBegun()) };
}

function alreadyBegun(): OriginError {
  return new OriginError("ORIGIN_FAILED", "the first block of the fork exists already", false);
}
