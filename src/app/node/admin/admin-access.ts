import {
  type AdminAccess,
  type DevnetContext,
  NotServedError,
  type ServerContext,
} from "#api/rpc/index.ts";
import { type Felt, hexFromFelt, type Timer } from "#base/primitives/index.ts";
import type { Logger, LogThreshold } from "#base/telemetry/index.ts";
import type { MempoolSelection } from "#services/admission/index.ts";
import type { AdmissionClient } from "../admission/admission-client.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { BlockOrders } from "../production/block-orders.ts";

/** Dependencies of {@link adminAccess}. */
export interface AdminAccessDeps {
  readonly options: Pick<NodeOptions, "role" | "name" | "version" | "chain" | "l1">;
  readonly context: ServerContext | DevnetContext;
  readonly admission: Pick<AdmissionClient, "list" | "drop" | "flush">;
  readonly orders: Pick<BlockOrders, "close" | "addMessage">;
  readonly threshold: LogThreshold;
  readonly log: Logger;
  readonly timer: Timer;
  readonly connections: () => number;
  readonly revert: Pick<ChainRevert, "to">;
  /** Starts an orderly stop of the node. */
  readonly stop: () => void;
}

/** Delay between the response to `shutdown` and the stop, in milliseconds. */
export const SHUTDOWN_DELAY_MS = 100;

/** Read-only requests that monitoring sends continuously; logged at debug level. */
const QUIET: ReadonlySet<string> = new Set(["ping", "status"]);

/**
 * Serves the admin requests of the token's bearer. Every use is logged; {@link QUIET} ones at debug level.
 */
export function adminAccess(deps: AdminAccessDeps): AdminAccess {
  const { options, context, admission, orders, threshold, log, timer } = deps;
  const note: AdminAccess["note"] = (use, fields) =>
    log[QUIET.has(use) ? "debug" : "info"](`admin: ${use}`, fields);
  return {
    note,
    mempool(offset, limit, selection) {
      note("getMempool", { offset, limit, ...shown(selection) });
      return admission.list(offset, limit, selection);
    },
    async dropTransaction(hash) {
      const outcome = await admission.drop(hash);
      log.warn("admin: dropTransaction", { hash: hexFromFelt(hash), outcome });
      return outcome;
    },
    async flushMempool(selection) {
      const outcome = await admission.flush(selection);
      const { dropped, inFlight } = outcome ?? { dropped: "some", inFlight: "unknown" };
      log.warn("admin: flushMempool", { ...shown(selection), dropped, in_flight: inFlight });
      if (outcome !== undefined) return outcome;
      throw new NotServedError(
        "the chain was reverted meanwhile: some transactions may be left, retry",
      );
    },
    async closeBlock() {
      // A development chain first executes all transactions received before the request.
      const block = await ("devnet" in context
        ? context.devnet.createBlock(false)
        : orders.close());
      log.warn("admin: closeBlock", { block: block.number });
      return block;
    },
    addL1HandlerMessage:
      options.l1 === null
        ? async (message) => {
            const added = await orders.addMessage(message);
            const { transactionHash, block } = added;
            const fields = { hash: hexFromFelt(transactionHash), block: block.number };
            log.warn("admin: addL1HandlerMessage", fields);
            return added;
          }
        : null,
    async revertTo(blockNumber, check) {
      log.warn("admin: revertTo", {
        block: blockNumber,
        newest: context.chain.latestNumber() ?? -1,
      });
      const removed = await deps.revert.to({
        blockNumber,
        keepReceived: true,
        keepL1Accepted: true,
        check,
      });
      return removed.length;
    },
    async status() {
      note("status", {});
      const { waiting, inFlight } = await admission.list(0, 0);
      return {
        role: options.role,
        name: options.name,
        version: options.version,
        chainId: context.chainId,
        protocolVersion: options.chain.latestProtocolVersion,
        mempool: { waiting, inFlight },
        connections: deps.connections(),
        uptimeSeconds: Math.floor(process.uptime()),
        memoryBytes: process.memoryUsage.rss(),
      };
    },
    shutdown() {
      log.warn("admin: shutdown");
      timer.after(SHUTDOWN_DELAY_MS, deps.stop);
    },
    setLogLevel(level) {
      const previous = threshold.level;
      // Logged before the change, which may suppress this line.
      log.warn("admin: setLogLevel", { level, previous });
      threshold.level = level;
      return previous;
    },
  };
}

/** Log fields of a selection. */
function shown({ sender, hashes, nonceAfter, nonceBefore }: MempoolSelection) {
  const hex = (name: string, value: Felt | undefined) =>
    value === undefined ? {} : { [name]: hexFromFelt(value) };
  return {
    ...hex("contract_address", sender),
    ...(hashes === undefined ? {} : { transactions: hashes.length }),
    ...hex("nonce_after", nonceAfter),
    ...hex("nonce_before", nonceBefore),
  };
}
