import {
  choiceOption,
  durationOption,
  fileOption,
  parsedListOption,
  switchOption,
  valueOption,
} from "./build-option.ts";
import { readInteger, readUrl } from "./read-option.ts";

const group = "Full nodes";
const usedBy = "full";

/** Options of a source that a full node follows, and of verifying its blocks. */
export const followOptions = {
  /** Addresses in order of preference. */
  gatewayUrls: parsedListOption(
    {
      flag: "gateway-url",
      brief: "gateway that a full node follows",
      value: "URL",
      group,
      usedBy,
      summary:
        "gateway to follow and to forward transactions to, without /feeder_gateway; repeatable, in order of preference; default from the chain configuration",
    },
    "http:// or https:// address",
    (texts) => (texts.every((text) => readUrl(text) !== undefined) ? texts : undefined),
  ),
  /** File with the key to send as `X-Throttling-Bypass`; `null` to send none. */
  gatewayKeyFile: fileOption({
    flag: "gateway-key-file",
    group,
    usedBy,
    summary: "file with the API key to send as X-Throttling-Bypass",
  }),
  /** Last block to sync; `null` for no limit. */
  stopAt: valueOption(
    {
      flag: "sync-stop-at",
      value: "BLOCK",
      group,
      usedBy,
      summary: "stop syncing at this block and keep serving",
    },
    "block number",
    readInteger(0, Number.MAX_SAFE_INTEGER),
    null,
  ),
  verify: choiceOption(
    {
      flag: "verify",
      value: "HOW",
      group,
      usedBy,
      summary:
        "what is verified before a block is stored: hashes verifies hashes, commitments, signature and state root; execution also executes the block and compares receipts and state diff",
    },
    ["hashes", "execution"],
    "hashes",
  ),
  /**
   * Whether to accept compiled code from the gateway if the code compiled here does not have the declared
   * hash. That hash verifies its bytecode; its hints are not verified.
   */
  trustsCasm: switchOption({
    flag: "trust-casm",
    group,
    usedBy,
    summary:
      "use the gateway's compiled code of classes where compiling them here yields a different hash than the declared one, for example with older compilers; its hints are not verified",
  }),
};

/** Options of sync that do not depend on the source. */
export const syncOptions = {
  /**
   * Time in which a follower stays ready without news of its source, or without the next block. It exceeds a
   * stall and a takeover together.
   */
  sourceGraceMs: durationOption(
    {
      flag: "source-grace",
      group,
      usedBy: "follower",
      summary:
        "how long /ready stays 200 on a full node or a standby without news from its source, or without the next block; must exceed the time of a takeover",
    },
    ["1s", "24h"],
    "60s",
  ),
};
