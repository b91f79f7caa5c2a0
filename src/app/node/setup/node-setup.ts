import { availableParallelism } from "node:os";
import { settingsOf, threadOptions } from "#app/options/index.ts";
import { GATEWAY_CONNECTIONS } from "#api/gateway/index.ts";
import { devnetSetup } from "./devnet-setup.ts";
import { createClockPage, createL1PricesPage } from "#services/sequencer/index.ts";
import { type FileBudget, fileBudgetOf, openFileLimit } from "./file-limit.ts";
import { hashThreadCount } from "./hash-threads.ts";
import { validatorCount } from "./admission-threads.ts";
import { fixedL1Prices } from "./l1-prices.ts";
import { freePolicyOf } from "./free-policy.ts";
import { type ForkPin, type ForkSetup, forkSetupOf } from "./fork.ts";
import { type NodeFiles, nodeFiles } from "./node-files.ts";
import type { NodeOptions } from "./node-options.ts";
import type { NodeSetup } from "./setup.ts";

/**
 * Setup of all threads, with the prices of the command line.
 *
 * @param pin - block that a fork continues; `null` on a chain that is no fork
 */
export function setupOf(options: NodeOptions, pin: ForkPin | null): NodeSetup {
  const files = nodeFiles(options.basePath, options.privateKeyFile);
  return {
    ...settingsOf(threadOptions, options),
    config: options.chain,
    files,
    chargeFees: options.chargeFee,
    freePolicy: freePolicyOf(options),
    l1Prices: fixedL1Prices(options.gasPrices),
    l1PricesPage: createL1PricesPage(),
    clockPage: createClockPage(),
    followsL1: options.l1 !== null,
    ...devnetSetup(options),
    follow: options.follow,
    fork: forkOf(options, pin, files),
    gate: null,
    hashThreads: hashThreadCount(availableParallelism()),
    storage: { ...options.storage, keepUnsettledProofs: options.l1 !== null },
    methodLimits: options.rpc.methods,
    explorer: options.explorer,
    maxAnswerBytes: options.rpc.maxResponseSizeBytes,
  };
}

function forkOf(
  { fork }: Pick<NodeOptions, "fork">,
  pin: ForkPin | null,
  { forkDatabase }: NodeFiles,
): ForkSetup | null {
  return fork === null || pin === null ? null : forkSetupOf(fork, pin, forkDatabase);
}

/** Further threads that may open files: admission, executor, committer, sync, verifier, explorer and reverter. */
const OTHER_THREADS = 7;

/**
 * Reduces the node's connections to fit the limit of open files.
 *
 * @throws {NodeError} as {@link fileBudgetOf}
 */
export function fileBudget({
  rpc,
  gateway,
  admissionThreads,
  queryThreads,
}: Pick<NodeOptions, "rpc" | "gateway" | "admissionThreads" | "queryThreads">): FileBudget {
  const hashThreads = hashThreadCount(availableParallelism());
  return fileBudgetOf(openFileLimit(), {
    threads: queryThreads + validatorCount(admissionThreads) + hashThreads + OTHER_THREADS,
    rpcConnections: rpc.connections.max,
    gatewayConnections: gateway === null ? 0 : GATEWAY_CONNECTIONS.max,
  });
}
