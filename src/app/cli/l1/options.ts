import { DURATION_FORM, parseDurationMs } from "#protocol/config/index.ts";
import {
  readAddress,
  readInteger,
  readText,
  readUrl,
  switchOption,
  valueOption,
} from "#app/options/index.ts";

const group = "Settlement";

/** The options of `l1 settle`. */
export const settleOptions = {
  dev: switchOption({
    flag: "dev",
    group,
    summary: "settle without proofs, which only a development verifier accepts; required",
  }),
  keyFile: valueOption(
    {
      flag: "key-file",
      value: "FILE",
      group,
      summary:
        "file with the private key, as 0x hex, of an operator of the core contract and of its verifier",
    },
    "a file",
    readText,
    null,
  ),
  coreContract: valueOption(
    {
      flag: "core-contract",
      value: "ADDRESS",
      group,
      summary: "address of the core contract on L1",
    },
    "address of 20 bytes, 0x and 40 hexadecimal digits",
    readL1Address,
    null,
  ),
  l1Endpoint: valueOption(
    { flag: "l1-endpoint", value: "URL", group, summary: "L1 node to use" },
    "http:// or https:// address",
    readUrl,
    "http://127.0.0.1:8545",
  ),
  url: valueOption(
    {
      flag: "url",
      value: "URL",
      group,
      summary:
        "the chain's node: its JSON-RPC 0.10 address, with the path unless it is the node's default",
    },
    "http:// or https:// address, or host:port",
    readAddress,
    "http://127.0.0.1:9944",
  ),
  to: valueOption(
    {
      flag: "to",
      value: "N",
      group,
      summary: "last block to settle",
      defaultText: "the newest accepted one",
    },
    "a block number",
    readInteger(0, Number.MAX_SAFE_INTEGER),
    null,
  ),
  l1Wait: valueOption(
    {
      flag: "l1-wait",
      value: "DURATION",
      group,
      summary: "deadline for a transaction to be included on L1",
      defaultText: "60s",
    },
    `${DURATION_FORM}, above zero`,
    (text) => parseDurationMs(text) || undefined,
    60_000,
  ),
};

function readL1Address(text: string): bigint | undefined {
  const value = /^0x[0-9a-fA-F]{40}$/.test(text) ? BigInt(text) : 0n;
  return value > 0n ? value : undefined;
}
