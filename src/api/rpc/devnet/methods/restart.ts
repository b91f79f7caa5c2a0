import { bool } from "#base/codec/index.ts";
import { optional } from "../../method.ts";
import type { ForkTarget } from "../access.ts";
import { forkTarget } from "../codecs.ts";
import { devnetMethod, NOTHING } from "../devnet-context.ts";

/**
 * JSON-RPC method `devnet_restart`: reverts the chain to its genesis; everything received, set or
 * sent since is discarded. Messages that the chain has sent are gone with it; a loaded L1 stays
 * connected unless the parameter says otherwise. `fork_block`, which starknet-devnet lacks, moves a
 * fork to another block of its origin.
 */
export const restart = devnetMethod({
  name: "devnet_restart",
  family: "write",
  runsOn: "main",
  summary:
    "Reverts the chain to its genesis, or moves a fork to another block; everything received, set or sent since is discarded.",
  params: () => ({
    restart_l1_to_l2_messaging: optional(bool, false),
    fork_block: optional<ForkTarget | undefined>(forkTarget, undefined),
  }),
  result: () => NOTHING,
  errors: [],
  handler: (context, { restart_l1_to_l2_messaging: disconnectsL1, fork_block: target }) =>
    target === undefined ? context.devnet.restart(disconnectsL1) : context.devnet.moveFork(target),
});
