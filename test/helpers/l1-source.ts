import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { createL1Source, L1_LIMITS, type L1Limits, type StartableL1Source } from "#io/l1/index.ts";
import { FAKE_CORE, FakeL1, serveFakeL1 } from "./fake-l1.ts";
import { FakeTimer } from "./fake-timer.ts";
import { type L1Proxy, startL1Proxy } from "./l1-proxy.ts";

/** A source over endpoints, each of which can lie. */
export interface L1SourceWorld extends AsyncDisposable {
  readonly source: StartableL1Source;
  /** Proxies of the chains, in order. */
  readonly proxies: readonly L1Proxy[];
  /** Reports about endpoints: number, state, and reason. */
  readonly reports: string[];
  /** Stops the source. */
  stop(): void;
}

/** Settings that differ from those of nodes. */
export interface L1SourceWorldOptions {
  readonly limits?: Partial<L1Limits>;
  readonly timer?: Timer;
  readonly chainId?: number;
}

/** Starts an endpoint for each chain, a proxy for each, and a source over all. */
export async function l1SourceWorld(
  chains: readonly FakeL1[],
  { limits = {}, timer = SYSTEM_TIMER, chainId }: L1SourceWorldOptions = {},
): Promise<L1SourceWorld> {
  const servers = chains.map(serveFakeL1);
  const proxies = await Promise.all(servers.map(({ url }) => startL1Proxy(url)));
  const stopping = new AbortController();
  const reports: string[] = [];
  const indexOf = (name: string): number => proxies.findIndex(({ url }) => url === name);
  const source = createL1Source({
    endpoints: proxies.map(({ url }) => url),
    coreContractAddress: FAKE_CORE,
    chainId,
    limits: { ...L1_LIMITS, answerMs: 2000, ...limits },
    timer,
    signal: stopping.signal,
    onNoFeeHistory: (name) => reports.push(`${indexOf(name)} has no fee history`),
    onEndpoint(name, state, reason) {
      const index = indexOf(name);
      reports.push(`${index} ${state}${reason === undefined ? "" : `: ${reason}`}`);
    },
  });
  return {
    source,
    proxies,
    reports,
    stop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}

/** Starts a source over endpoints of the same chain. */
export async function sameChain(l1: FakeL1, count: number, timer = new FakeTimer()) {
  const chains = Array.from({ length: count }, () => l1);
  return { timer, world: await l1SourceWorld(chains, { timer, limits: { answerMs: 300 } }) };
}

/** Returns the number of the block two below the head, which counts as final. */
export function newest({ source }: L1SourceWorld): Promise<number> {
  return source.view(2, async ({ block }) => block.number);
}
