import { availableParallelism } from "node:os";
import { GATEWAY_CONNECTIONS } from "#api/gateway/index.ts";
import { readAdminToken } from "#api/rpc/index.ts";
import { readObjectStoreKeys } from "#io/objects/index.ts";
import { devnetSetup } from "./devnet/start-devnet.ts";
import { readGatewayKey } from "./folder/gateway-key.ts";
import { checkSigningKey } from "./folder/signing-key.ts";
import { checkConfigOut } from "./reports/config-out.ts";
import { DEVNET } from "./roles/devnet.ts";
import { FULL_NODE } from "./roles/full-node.ts";
import type { Role } from "./roles/role.ts";
import { SEQUENCER } from "./roles/sequencer.ts";
import { createClockPage, createL1PricesPage } from "#services/sequencer/index.ts";
import { type FileBudget, fileBudgetOf, openFileLimit } from "./machine/file-limit.ts";
import { hashThreadCount } from "./machine/hash-threads.ts";
import { queryThreadCount } from "./machine/query-threads.ts";
import { validatorCount } from "./setup/admission-threads.ts";
import { fixedL1Prices } from "./setup/l1-prices.ts";
import { freePolicyOf } from "./setup/free-policy.ts";
import { nodeFiles } from "./setup/node-files.ts";
import type { NodeOptions } from "./setup/node-options.ts";
import type { NodeSetup } from "./setup/setup.ts";

/** Role in which a node starts. */
export function roleOf({ follow, devnet }: Pick<NodeOptions, "follow" | "devnet">): Role {
  if (follow !== null) return FULL_NODE;
  return devnet === null ? SEQUENCER : DEVNET;
}

/** Setup of all threads, with the prices of the command line. */
export function setupOf(options: NodeOptions): NodeSetup {
  return {
    config: options.chain,
    files: nodeFiles(options.basePath, options.privateKeyFile),
    chargeFees: options.chargeFee,
    freePolicy: freePolicyOf(options),
    l1Prices: fixedL1Prices(options.gasPrices),
    l1PricesPage: createL1PricesPage(),
    clockPage: createClockPage(),
    followsL1: options.l1 !== null,
    ...devnetSetup(options),
    follow: options.follow,
    gate: null,
    executionMemoryBytes: options.executionMemoryBytes,
    warmUpTransfers: options.warmUpTransfers,
    maxSteps: options.maxSteps,
    startTimeoutMs: options.startTimeoutMs,
    hashThreads: hashThreadCount(availableParallelism()),
    admissionThreads: options.admissionThreads,
    storage: { ...options.storage, keepUnsettledProofs: options.l1 !== null },
    methodLimits: options.rpc.methods,
    maxAnswerBytes: options.rpc.maxResponseSizeBytes,
  };
}

/** Threads of a node besides those for queries, validation and hashes. */
const OTHER_THREADS = 6;

/**
 * Reduces the node's connections to fit the limit of open files.
 *
 * @throws {NodeError} as {@link fileBudgetOf}
 */
export function fileBudget({
  rpc,
  gateway,
  admissionThreads,
}: Pick<NodeOptions, "rpc" | "gateway" | "admissionThreads">): FileBudget {
  const hashThreads = hashThreadCount(availableParallelism());
  return fileBudgetOf(openFileLimit(), {
    threads: queryThreadCount() + validatorCount(admissionThreads) + hashThreads + OTHER_THREADS,
    rpcConnections: rpc.connections.max,
    gatewayConnections: gateway === null ? 0 : GATEWAY_CONNECTIONS.max,
  });
}

/**
 * Validates keys and files before anything is written.
 *
 * @throws {ConfigError} that names the unusable file
 */
export function tryFiles(
  { rpc, configOut, replication }: NodeOptions,
  { files, follow }: NodeSetup,
): void {
  if (follow === null) checkSigningKey(files.signingKey);
  else if (follow.gatewayKeyFile !== null) readGatewayKey(follow.gatewayKeyFile);
  const store = replication?.store ?? follow?.store ?? null;
  if (store !== null) readObjectStoreKeys(store, process.env);
  if (rpc.adminTokenFile !== null) readAdminToken(rpc.adminTokenFile);
  if (configOut !== null) checkConfigOut(configOut, files);
}
