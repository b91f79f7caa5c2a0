import { DevnetProvider } from "starknet-devnet";
import type { StartOptions } from "./binary.ts";
import { type UsedChain, useChains } from "./use-chain.ts";

/** A chain with the client of those who develop on it. */
export interface Devnet {
  readonly chain: UsedChain;
  /** Of the process that runs now. */
  readonly devnet: DevnetProvider;
}

/** As {@link useChains}, with a client. */
export function useDevnets(): (
  args: readonly string[],
  options?: Pick<StartOptions, "cwd">,
) => Promise<Devnet> {
  const start = useChains();
  return async (args, options = {}) => {
    const chain = await start({ args, ...options });
    return {
      chain,
      get devnet() {
        return new DevnetProvider({ url: chain.url, timeout: 60_000 });
      },
    };
  };
}
