import { readText, switchOption, valueOption } from "../option.ts";

const group = "Bootstrap";

/** The options of `bootstrap`; what it sets up a chain with comes from variables of its own. */
export const bootstrapOptions = {
  plan: switchOption({
    flag: "plan",
    group,
    summary:
      "print all addresses, and the option that the sequencer is started with; asks L1 alone, sends nothing, and records the plan in the file of addresses",
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
    summary: "look at each step and tell what would be done; nothing is sent or written",
  }),
  only: valueOption(
    {
      flag: "only",
      value: "STEP",
      group,
      summary:
        "do one step, or those of l1 (which needs no sequencer), l2, handover or native-token; the steps before have to be done",
    },
    "a step or a group of steps",
    readText,
    null,
  ),
  resume: switchOption({
    flag: "resume",
    group,
    summary:
      "go on with the file of addresses, which has to be there; without, it is begun if there is none",
  }),
  adopt: switchOption({
    flag: "adopt",
    group,
    summary:
      "without a file of addresses: continue with the contracts on L1 that an earlier run has deployed",
  }),
  again: switchOption({
    flag: "again",
    group,
    summary:
      "without a file of addresses: deploy all contracts on L1, although an earlier run has deployed some",
  }),
  dev: switchOption({
    flag: "dev",
    group,
    summary:
      "set up a development chain: a verifier on L1 that believes its operator, and nothing is handed over",
  }),
  addresses: valueOption(
    {
      flag: "addresses",
      value: "FILE",
      group,
      summary: "where the addresses are kept, as far as the steps are done",
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
      summary: "ERC-20 token on L1 whose twin on L2 fees are paid with",
      defaultText: "a token for tests is deployed",
    },
    "0x and 40 hexadecimal digits",
    (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text : undefined),
    null,
  ),
};
