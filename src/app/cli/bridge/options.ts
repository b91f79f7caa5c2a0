import { readText, switchOption, valueOption } from "#app/options/index.ts";
import type { PositionalLimits } from "../parse-arguments.ts";

const group = "Bridge";

const addresses = valueOption(
  { flag: "addresses", value: "FILE", group, summary: "address file of the bootstrap" },
  "a file",
  readText,
  "addresses.json",
);

const token = valueOption(
  {
    flag: "token",
    value: "TOKEN",
    group,
    summary: "eth, fee for the fee token, or an ERC-20 token by its L1 address",
  },
  "eth, fee, or 0x and 40 hexadecimal digits",
  (text) => (/^(?:eth|fee|0x[0-9a-fA-F]{40})$/.test(text) ? text : undefined),
  "eth",
);

const to = (side: "L1" | "L2", variable: string) =>
  valueOption(
    {
      flag: "to",
      value: "ADDRESS",
      group,
      summary: `recipient on ${side}`,
      defaultText: `the account of ${variable}`,
    },
    "an address, 0x and hexadecimal digits",
    readText,
    null,
  );

const transferFile = (fallback: string) =>
  valueOption(
    {
      flag: "transfer",
      value: "FILE",
      group,
      summary: "file of this transfer, which ensures that it is never paid twice",
    },
    "a file",
    readText,
    fallback,
  );

/** The options of `bridge deposit`. */
export const depositOptions = {
  token,
  to: to("L2", "ROLLUP_PRIV_KEY"),
  transfer: transferFile("deposit.json"),
  mint: switchOption({
    flag: "mint",
    group,
    summary: "mint missing tokens on L1 first: for tokens that anyone can mint, such as --dev's",
  }),
  addresses,
};

/** The options of `bridge withdraw`. */
export const withdrawOptions = {
  token,
  to: to("L1", "ETH_PRIV_KEY"),
  account: valueOption(
    {
      flag: "account",
      value: "ADDRESS",
      group,
      summary: "account on L2 that withdraws, with ROLLUP_PRIV_KEY as its key",
      defaultText: "the one that the bootstrap deploys for that key",
    },
    "an address, 0x and hexadecimal digits",
    readText,
    null,
  ),
  transfer: transferFile("withdrawal.json"),
  addresses,
};

/** The positional argument of `bridge deposit` and `bridge withdraw`. */
export const AMOUNT_WORDS: PositionalLimits = {
  words: [{ name: "AMOUNT", summary: "amount of the token, such as 1.5" }],
  min: 1,
};

/** The positional argument of `bridge status`. */
export const TRANSFER_WORDS: PositionalLimits = {
  words: [{ name: "FILE", summary: "file of the transfer, such as deposit.json" }],
  min: 1,
};
