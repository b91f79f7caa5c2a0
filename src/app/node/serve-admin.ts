import {
  type AdminAccess,
  readAdminToken,
  type RpcContext,
  type RpcObserver,
  serveAdmin,
} from "#api/rpc/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { Logger, LogThreshold } from "#base/telemetry/index.ts";
import type { AdmissionClient } from "./admission/admission-client.ts";
import { httpUrl } from "./http-url.ts";
import type { Listeners } from "./listeners.ts";
import type { NodeOptions } from "./node-options.ts";

/** What the admin methods work with. */
export interface AdminParts {
  readonly options: Pick<NodeOptions, "rpc">;
  readonly context: RpcContext;
  readonly admission: Pick<AdmissionClient, "list" | "drop">;
  readonly threshold: LogThreshold;
  readonly observer: RpcObserver;
  readonly log: Logger;
}

/**
 * Serves the admin methods from now on, where they are on; each use is in the log.
 *
 * @throws {ConfigError} when the file does not hold a token
 */
export function serveAdminOf(listener: Listeners["admin"], parts: AdminParts): void {
  const { options, context, observer, log } = parts;
  const { adminTokenFile } = options.rpc;
  if (listener === null || adminTokenFile === null) return;
  serveAdmin({
    listener,
    token: readAdminToken(adminTokenFile),
    context: { ...context, admin: adminAccess(parts) },
    observer,
    onRefused: (address) => log.warn("admin: refused a call without the token", { address }),
  });
  const url = httpUrl(listener.hostname, listener.port);
  log.info(`admin methods at ${url}, with the token of ${adminTokenFile}`);
}

/** What is done for whoever has the token. Told before it is done: it may change what is logged. */
function adminAccess({ context, admission, threshold, log }: AdminParts): AdminAccess {
  const { devnet } = context;
  return {
    mempool(offset, limit) {
      log.info("admin: getMempool", { offset, limit });
      return admission.list(offset, limit);
    },
    async dropTransaction(hash) {
      const outcome = await admission.drop(hash);
      log.warn("admin: dropTransaction", { hash: hexFromFelt(hash), outcome });
      return outcome;
    },
    ...(devnet === undefined
      ? {}
      : {
          closeBlock() {
            log.info("admin: closeBlock");
            return devnet.createBlock(false);
          },
        }),
    setLogLevel(level) {
      const previous = threshold.level;
      log.warn("admin: setLogLevel", { level, previous });
      threshold.level = level;
      return previous;
    },
  };
}
