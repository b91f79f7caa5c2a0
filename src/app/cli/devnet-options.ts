import type { ConfigNotice, ConfigOverride } from "#protocol/config/index.ts";
import { flagName, wrongOption } from "./given.ts";
import { feltFromHex, shortStringFromFelt } from "#base/primitives/index.ts";
import { readInteger, switchOption, valueOption } from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

const group = "Development chains";

/** End of the year 9999, the maximum of `devnet_setTime`. */
export const MAX_START_TIME = 253_402_300_799;

/** Settings of a new development chain, under starknet-devnet's names. */
export const devnetOptions = {
  chainId: valueOption(
    {
      flag: "chain-id",
      value: "ID",
      group,
      summary:
        "chain id of --preset devnet, at most 31 ASCII characters, or its text as a 0x… number; MAINNET and TESTNET mean SN_MAIN and SN_SEPOLIA",
    },
    "a chain id: 1 to 31 letters, digits, _, - or ., or its text as a hex number",
    readChainId,
    null,
  ),
  startTime: valueOption(
    {
      flag: "start-time",
      value: "SECONDS",
      group,
      summary:
        "Unix time of the first block of --preset devnet; the chain's clock continues from there, and after a restart from its newest block",
    },
    `seconds from 0 to ${MAX_START_TIME}`,
    readInteger(0, MAX_START_TIME),
    null,
  ),
  liteMode: switchOption({
    flag: "lite-mode",
    group,
    summary:
      "accepted for starknet-devnet scripts, without effect: block hashes are computed in parallel with execution, which never waits for them",
  }),
};

type Given = Pick<ParsedArguments<typeof devnetOptions>, "options" | "given">;

/** Characters of a valid chain id. */
const CHAIN_ID_CHARACTERS = /^[\w.-]+$/;

/** Chain ids that starknet-devnet has aliases for, in any case. */
const NETWORKS: Readonly<Record<string, string>> = { MAINNET: "SN_MAIN", TESTNET: "SN_SEPOLIA" };

/** Parses a text, an alias of a network, or a number as returned by `starknet_chainId`. */
function readChainId(text: string): string | undefined {
  if (!/^0x[0-9a-f]+$/i.test(text)) return NETWORKS[text.toUpperCase()] ?? text;
  const number = feltFromHex(text);
  if (number === undefined) return undefined;
  const named = shortStringFromFelt(number);
  return CHAIN_ID_CHARACTERS.test(named) ? named : undefined;
}

/**
 * Returns the chain configuration fields that `--chain-id` sets.
 *
 * @param isDevnet - whether the chain is the preset devnet
 * @throws {ConfigError} when it is used on another chain
 */
export function chainIdSettings({ options, given }: Given, isDevnet: boolean): ConfigOverride[] {
  const { chainId } = options;
  if (chainId === null) return [];
  const from = flagName(given, "chain-id");
  if (!isDevnet) {
    throw wrongOption(
      given,
      "chain-id",
      "has an effect only with --preset devnet: other chains use the chain id of their configuration",
    );
  }
  return [{ path: ["chain_id"], text: JSON.stringify(chainId), from }];
}

/** Returns notices about options that are accepted only for scripts of other programs. */
export function devnetNotices({ options, given }: Given): readonly ConfigNotice[] {
  if (!options.liteMode) return [];
  const message = `${flagName(given, "lite-mode")} has no effect: roots and hashes are computed in parallel with execution`;
  return [{ code: "OPTION_WITHOUT_EFFECT", message }];
}
