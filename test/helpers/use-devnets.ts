import { DevnetProvider } from "starknet-devnet";
import type { StartOptions } from "./binary.ts";
import { type UsedChain, useChains } from "./use-chain.ts";

/** A chain with a client of its developers. */
export interface Devnet {
  readonly chain: UsedChain;
  /** Client of the current process. */
  readonly devnet: DevnetProvider;
}

/** Like {@link useChains}, with a client. */
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
