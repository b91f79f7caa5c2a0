import { readFileSync } from "node:fs";
import { NodeError } from "#base/errors/index.ts";

/** Files besides those of threads and connections: databases, journals, compilers, outgoing requests. */
const NODE_FILES = 96;

/** Files of a thread: databases with their logs, and event queues of the runtime. */
const THREAD_FILES = 8;

/** Connections of an operator: admin methods and metrics. */
const OPERATOR_CONNECTIONS = 80;

/** Connections of a listener that are being refused, in addition to its maximum. */
const REFUSED_CONNECTIONS = 64;

/** Minimum useful number of connections of a node. */
const LEAST_CONNECTIONS = 32;

/**
 * Maximum files and sockets of this process: its soft limit, which the runtime raises to the hard one.
 *
 * @returns `undefined` when there is no limit, or the system does not report it
 */
export function openFileLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    // Not Linux.
    return undefined;
  }
}

/** What a node needs open files for: threads, and connections of each server. */
export interface FileNeeds {
  readonly threads: number;
  /** Maximum JSON-RPC connections. */
  readonly rpcConnections: number;
  /** Maximum gateway connections; 0 when the gateway is off. */
  readonly gatewayConnections: number;
}

/** Connections that fit into the limit of open files. */
export interface FileBudget {
  readonly rpcConnections: number;
  readonly gatewayConnections: number;
  /** Message for the operator when connections were reduced; `undefined` when all fit. */
  readonly warning: string | undefined;
}

/**
 * Reduces connections to the limit of open files, so that a flood of them cannot keep the node from opening
 * a file.
 *
 * @param limit - maximum open files; `undefined` when there is no limit
 * @throws {NodeError} NODE_FILE_LIMIT when the limit is too low for a node; names the number it needs
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
    const message = `this process may have ${limit} files open, but the node needs at least ${fixed + least}, ${all}: ${HOW_TO_RAISE}`;
    throw new NodeError("NODE_FILE_LIMIT", message, { meta: { limit, needed: fixed + least } });
  }
  const part = (count: number): number =>
    count === 0 ? 0 : Math.max(1, Math.floor((room * count) / wanted));
  const [rpc, gateway] = [part(rpcConnections), part(gatewayConnections)];
  const accepted = gateway === 0 ? `${rpc} connections` : `${rpc} and ${gateway} connections`;
  return {
    rpcConnections: rpc,
    gatewayConnections: gateway,
    warning: `this process may have ${limit} files open: the node accepts only ${accepted}, and needs ${all}: ${HOW_TO_RAISE}`,
  };
}

const HOW_TO_RAISE =
  "raise the hard limit (`ulimit -Hn N` as root, LimitNOFILE=N of a systemd service, --ulimit nofile=N of Docker)";
