import { readText, switchOption, valueOption } from "#app/options/index.ts";

const group = "Bootstrap";

/** The options of `bootstrap`; its settings come from separate variables. */
export const bootstrapOptions = {
  plan: switchOption({
    flag: "plan",
    group,
    summary:
      "print all addresses and the option for starting the sequencer; contacts only L1, sends nothing, and records the plan in the address file",
  }),
  genesis: valueOption(
    {
      flag: "genesis",
      value: "FILE",
      group,
      summary:
        "with --plan: write a chain configuration whose genesis section has the L2 contracts, tokens and deployer at the public addresses",
      defaultText: "transactions deploy them, at other addresses",
    },
    "a file",
    readText,
    null,
  ),
  dryRun: switchOption({
    flag: "dry-run",
    group,
    summary: "check each step and print what would be done, without sending or writing anything",
  }),
  only: valueOption(
    {
      flag: "only",
      value: "STEP",
      group,
      summary:
        "do one step, or all steps of l1 (needs no sequencer), l2, handover or native-token; the preceding steps must be done",
    },
    "a step or a group of steps",
    readText,
    null,
  ),
  resume: switchOption({
    flag: "resume",
    group,
    summary:
      "continue with the address file, which must exist; without this option a missing file is created",
  }),
  adopt: switchOption({
    flag: "adopt",
    group,
    summary:
      "without an address file: continue with the contracts on L1 that an earlier run deployed",
  }),
  again: switchOption({
    flag: "again",
    group,
    summary:
      "without an address file: deploy all contracts on L1, even if an earlier run deployed some",
  }),
  dev: switchOption({
    flag: "dev",
    group,
    summary:
      "set up a development chain: a verifier on L1 that trusts its operator, and no handover",
  }),
  addresses: valueOption(
    {
      flag: "addresses",
      value: "FILE",
      group,
      summary: "address file: records the addresses of completed steps",
    },
    "a file",
    readText,
    "addresses.json",
  ),
  l1FeeToken: valueOption(
    {
      flag: "l1-fee-token",
      value: "ADDRESS",
      group,
      summary: "ERC-20 token on L1 whose counterpart on L2 is the fee token",
      defaultText: "a test token is deployed",
    },
    "0x and 40 hexadecimal digits",
    (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text : undefined),
    null,
  ),
};
