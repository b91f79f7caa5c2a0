import { readFileSync } from "node:fs";
import { NodeError } from "#base/errors/index.ts";

/** Files of a node apart from its threads and connections: databases, journals, compilers, servers that it asks. */
const NODE_FILES = 96;

/** Files of a thread: databases with their logs, and what the runtime waits with. */
const THREAD_FILES = 8;

/** Connections of an operator: admin methods and metrics. */
const OPERATOR_CONNECTIONS = 80;

/** Beside each listener's connections, those that are told that there is no room. */
const REFUSED_CONNECTIONS = 64;

/** With fewer connections a node is of no use. */
const LEAST_CONNECTIONS = 32;

/**
 * Files and sockets that this process may have open, by its hard limit: the runtime raises the soft one.
 *
 * @returns `undefined` where the system does not say, or there is no limit
 */
export function openFileLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // Another system than Linux.
    return undefined;
  }
}

/** What opens files. */
export interface FileNeeds {
  readonly threads: number;
  /** Most connections of JSON-RPC. */
  readonly rpcConnections: number;
  /** Most connections of the gateway; 0: it is not served. */
  readonly gatewayConnections: number;
}

/** How many connections the limit has room for. */
export interface FileBudget {
  readonly rpcConnections: number;
  readonly gatewayConnections: number;
  /** For the operator: there are fewer connections than wanted. `undefined`: all have room. */
  readonly warning: string | undefined;
}

/**
 * Fits connections into the limit of open files, so that files always have room beside them.
 *
 * @param limit - of open files; `undefined`: there is none
 * @throws {NodeError} NODE_FILE_LIMIT when there is no room for a node at all; says how many are needed
 */
export function fileBudgetOf(limit: number | undefined, needs: FileNeeds): FileBudget {
  const { threads, rpcConnections, gatewayConnections } = needs;
  const listeners = gatewayConnections === 0 ? 1 : 2;
  const fixed =
    NODE_FILES + THREAD_FILES * threads + OPERATOR_CONNECTIONS + REFUSED_CONNECTIONS * listeners;
  const wanted = rpcConnections + gatewayConnections;
  if (limit === undefined || limit >= fixed + wanted) {
    return { rpcConnections, gatewayConnections, warning: undefined };
  }
  const room = limit - fixed;
  const least = Math.min(LEAST_CONNECTIONS, wanted);
  const all = `${fixed + wanted} for all connections`;
  if (room < least) {
    const message = `this process may have ${limit} files open, and the node needs ${fixed + least} at least, ${all}: ${HOW_TO_RAISE}`;
    throw new NodeError("NODE_FILE_LIMIT", message, { meta: { limit, needed: fixed + least } });
  }
  const part = (count: number): number =>
    count === 0 ? 0 : Math.max(1, Math.floor((room * count) / wanted));
  const [rpc, gateway] = [part(rpcConnections), part(gatewayConnections)];
  const taken = gateway === 0 ? `${rpc} connections` : `${rpc} and ${gateway} connections`;
  return {
    rpcConnections: rpc,
    gatewayConnections: gateway,
    warning: `this process may have ${limit} files open: the node takes ${taken} only, and needs ${all}: ${HOW_TO_RAISE}`,
  };
}

const HOW_TO_RAISE =
  "raise the hard limit (`ulimit -Hn N` as root, LimitNOFILE=N of a systemd service, --ulimit nofile=N of Docker)";
