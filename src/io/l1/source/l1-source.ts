import type { FeeQuote, L1Source } from "../types.ts";
import { FeeQuotes } from "./fee-quotes.ts";
import type { Member } from "./member.ts";
import { newestBefore } from "./newest-before.ts";
import type { L1SourceOptions } from "./options.ts";
import { PinChooser } from "./pin.ts";
import { PinnedView } from "./pinned-view.ts";
import { EndpointPool } from "./pool.ts";
import { readStateReports } from "./state-reports.ts";

/** {@link L1Source} with the checks of a node's start. */
export interface StartableL1Source extends L1Source {
  /**
   * Returns the chain id, which all responding endpoints must share.
   *
   * @throws {L1Error} when none responds; a non-retryable one when they serve different chains
   */
  chainId(): Promise<number>;
  /** Whether the address of the core contract has code. */
  hasCoreContract(): Promise<boolean>;
}

/**
 * Creates an L1 source over several endpoints: selects endpoints, avoids failed ones, and requires agreement.
 */
export function createL1Source(options: L1SourceOptions): StartableL1Source {
  const { coreContractAddress } = options;
  const pool = new EndpointPool(options);
  const pins = new PinChooser(pool);
  const quotes = new FeeQuotes(options);
  const quote = async (member: Member): Promise<FeeQuote> => {
    const [quoted] = await Promise.all([quotes.quote(member), pool.checkChain(member)]);
    return quoted;
  };
  return {
    chainId: () => pool.chainId(),
    hasCoreContract: () =>
      pool.first(async ({ endpoint }) => {
        return (await endpoint.code(coreContractAddress, "latest")) !== "0x";
      }),
    async view(finality, read) {
      const view = new PinnedView(pool, await pins.choose(finality), options);
      const value = await read(view);
      await view.confirm();
      return value;
    },
    blockBefore: (unixSeconds) => pool.first(({ endpoint }) => newestBefore(endpoint, unixSeconds)),
    stateReports: (l1BlockNumber, transactions) =>
      readStateReports(pool, options, { l1BlockNumber, transactions }),
    feeQuote: () => pool.first(quote),
    otherFeeQuote: (name) => pool.firstOther(name, quote),
  };
}
