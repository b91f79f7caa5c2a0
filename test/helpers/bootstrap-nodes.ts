import { afterAll } from "bun:test";
import { writeFileSync } from "node:fs";
import { Bootstrap, type EarlierContracts, readSettings } from "#app/bootstrap/index.ts";
import { makePlan, planDigest } from "#app/bootstrap/plan/plan.ts";
import { hexFromFelt, SYSTEM_TIMER } from "#base/primitives/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Error that the server of {@link useBootstrapNodes} returns in place of a result. */
export class RpcRefused {
  readonly error: { readonly code: number; readonly message: string };

  constructor(code: number) {
    this.error = { code, message: "refused" };
  }
}

/** A server that acts as the nodes of L1 and L2, with a bootstrap of chain `X`. */
export function useBootstrapNodes() {
  const folder = temporaryFolder();
  let runs = 0;
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { method } = (await request.json()) as { method: string };
      nodes.asked.push(method);
      const { honest, lie } = nodes;
      const result = method in honest ? honest[method] : lie;
      return Response.json({
        id: 1,
        ...(result instanceof RpcRefused ? { error: result.error } : { result }),
      });
    },
  });
  afterAll(async () => {
    await server.stop(true);
    folder[Symbol.dispose]();
  });
  const nodes = {
    /** Results by method. */
    honest: {} as Readonly<Record<string, unknown>>,
    /** Result of all other methods. */
    lie: undefined as unknown,
    /** Policy for contracts of an earlier run. */
    earlier: "refuse" as EarlierContracts,
    /** Requested methods. */
    asked: [] as string[],
    /** Sets a chain up. @param addresses - text of the address file @returns why that failed */
    async endOf(addresses?: string): Promise<unknown> {
      const addressesPath = folder.file(`addresses-${runs++}.json`);
      if (addresses !== undefined) writeFileSync(addressesPath, addresses);
      const url = `http://user:pass-word@127.0.0.1:${server.port}/secret-api-key`;
      const environment = { APP_CHAIN_ID: "X", ETH_RPC: url, ROLLUP_SEQ_URL: url };
      const { settings } = readSettings(environment, true);
      try {
        const bootstrap = await Bootstrap.plan({
          settings: { ...settings, transactionWaitMs: 20, crossChainWaitMs: 20 },
          l1Token: null,
          addressesPath,
          resumes: false,
          earlier: nodes.earlier,
          hasGenesis: false,
          waiting: { timer: SYSTEM_TIMER, signal: new AbortController().signal },
        });
        await bootstrap.warnings();
        await bootstrap.run(bootstrap.steps, false, { begin: () => {}, end: () => {} });
        return undefined;
      } catch (error) {
        return error;
      }
    },
  };
  return nodes;
}

function plan() {
  const { settings } = readSettings({ APP_CHAIN_ID: "X" }, true);
  return makePlan({ settings, firstNonce: 0, l1Token: null, hasGenesis: false });
}

/** Address of the deployer's L2 account in the plan of {@link useBootstrapNodes}, as 0x hex. */
export function plannedAccount(): string {
  return hexFromFelt(plan().l2.account);
}

/** Digest of the plan of {@link useBootstrapNodes}, as in its address file. */
export function plannedDigest(): string {
  return planDigest(plan());
}

/** Response of a chain that was started with the plan of {@link useBootstrapNodes}. */
export function plannedContracts() {
  const { l1, l2 } = plan();
  return {
    core_contract: hexFromFelt(BigInt(l1.core)),
    native_fee_token: hexFromFelt(l2.nativeToken),
    parent_fee_token: hexFromFelt(l2.ethToken),
  };
}

/** Responses by method of an L1 without any contract or transaction of the deployer. */
export const EMPTY_L1 = {
  eth_chainId: "0x7a69",
  eth_getTransactionCount: "0x0",
  eth_getBalance: "0x1",
  eth_getCode: "0x",
  eth_getBlockByNumber: {
    number: "0x0",
    hash: `0x${"1".repeat(64)}`,
    baseFeePerGas: "0x1",
    transactions: [],
  },
} as const;

/**
 * Responses by method of {@link EMPTY_L1}, and of an L2 node whose chain was started with the plan.
 */
export const PLANNED = {
  ...EMPTY_L1,
  starknet_chainId: "0x58",
  appchain_getContractAddresses: plannedContracts(),
} as const;

/** Responses by method about the cost of a transaction on L1. */
export const COSTS = {
  eth_estimateGas: "0x5208",
  eth_maxPriorityFeePerGas: "0x1",
} as const;
