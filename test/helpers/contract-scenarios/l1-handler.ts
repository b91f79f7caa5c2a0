import { hash } from "starknet";
import type { Step } from "./kit.ts";

/** A message from L1; `calldata` starts with its sender. */
export function l1Handler(
  name: string,
  to: string,
  entrypoint: string,
  calldata: readonly string[],
): Step {
  return {
    name,
    l1_handler: {
      contract_address: to,
      entry_point_selector: hash.getSelectorFromName(entrypoint),
      calldata,
      nonce: "0x0",
      paid_fee_on_l1: "0x38d7ea4c68000",
    },
  };
}
