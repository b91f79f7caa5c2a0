import type { ConfigNotice, ConfigOverride } from "#protocol/config/index.ts";
import { givenName, wrongOption } from "./given.ts";
import { feltFromHex, shortStringFromFelt } from "#base/primitives/index.ts";
import { readInteger, switchOption, valueOption } from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

const group = "Development chains";

/** The year 9999, as far as `devnet_setTime` goes. */
export const MAX_START_TIME = 253_402_300_799;

/** Settings of a new development chain, as starknet-devnet calls them. */
export const devnetOptions = {
  chainId: valueOption(
    {
      flag: "chain-id",
      value: "ID",
      group,
      summary:
        "chain id of --preset devnet, at most 31 ASCII characters, or the number of such a text as 0x…; MAINNET and TESTNET mean SN_MAIN and SN_SEPOLIA",
    },
    "a chain id: 1 to 31 letters, digits, _, - or ., or the number of such a text in hex",
    readChainId,
    null,
  ),
  startTime: valueOption(
    {
      flag: "start-time",
      value: "SECONDS",
      group,
      summary:
        "Unix time of the first block of --preset devnet; the chain's time goes on from there, and from its newest block when the node starts again",
    },
    `seconds from 0 to ${MAX_START_TIME}`,
    readInteger(0, MAX_START_TIME),
    null,
  ),
  liteMode: switchOption({
    flag: "lite-mode",
    group,
    summary:
      "taken for scripts of starknet-devnet, and without effect: block hashes are made beside execution, nobody waits for them",
  }),
};

type Given = Pick<ParsedArguments<typeof devnetOptions>, "options" | "given">;

/** Numbers of other texts are no chain ids. */
const CHAIN_ID_CHARACTERS = /^[\w.-]+$/;

/** Chain ids that starknet-devnet has words for, whatever their case. */
const NETWORKS: Readonly<Record<string, string>> = { MAINNET: "SN_MAIN", TESTNET: "SN_SEPOLIA" };

/** A text, a word for a network, or the number that `starknet_chainId` returns. */
function readChainId(text: string): string | undefined {
  if (!/^0x[0-9a-f]+$/i.test(text)) return NETWORKS[text.toUpperCase()] ?? text;
  const number = feltFromHex(text);
  if (number === undefined) return undefined;
  const named = shortStringFromFelt(number);
  return CHAIN_ID_CHARACTERS.test(named) ? named : undefined;
}

/**
 * The fields of the chain configuration that `--chain-id` sets.
 *
 * @param isDevnet - the chain is the preset devnet
 * @throws {ConfigError} when it was given for another chain
 */
export function chainIdSettings({ options, given }: Given, isDevnet: boolean): ConfigOverride[] {
  const { chainId } = options;
  if (chainId === null) return [];
  const from = givenName(given, "chain-id");
  if (!isDevnet) {
    throw wrongOption(
      given,
      "chain-id",
      "has an effect with --preset devnet only: other chains have the chain id of their configuration",
    );
  }
  return [{ path: ["chain_id"], text: JSON.stringify(chainId), from }];
}

/** What is said of options that are taken for scripts of other programs. */
export function devnetNotices({ options, given }: Given): readonly ConfigNotice[] {
  if (!options.liteMode) return [];
  const message = `${givenName(given, "lite-mode")} has no effect: roots and hashes are made beside execution`;
  return [{ code: "OPTION_WITHOUT_EFFECT", message }];
}
