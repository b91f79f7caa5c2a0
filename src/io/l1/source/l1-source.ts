import type { FeeQuote, L1Source } from "../types.ts";
import { FeeQuotes } from "./fee-quotes.ts";
import type { Member } from "./member.ts";
import { newestBefore } from "./newest-before.ts";
import type { L1SourceOptions } from "./options.ts";
import { PinChooser } from "./pin.ts";
import { PinnedView } from "./pinned-view.ts";
import { EndpointPool } from "./pool.ts";
import { readStateReports } from "./state-reports.ts";

/** {@link L1Source}, and what a start asks of it. */
export interface StartableL1Source extends L1Source {
  /**
   * The chain id, which all endpoints that answer must share.
   *
   * @throws {L1Error} when none answers; one that is not retryable when they are of different chains
   */
  chainId(): Promise<number>;
  /** Whether there is code at the address of the core contract. */
  hasCoreContract(): Promise<boolean>;
}

/** L1 as several endpoints tell it: who is asked, who is left, and what counts. */
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
    otherFeeQuote: (asked) => pool.firstOther(asked, quote),
  };
}
