/** The members of `execution_resources` that count gas, and what they are called here. */
export const GAS_MEMBERS = [
  ["l1_gas", "l1Gas"],
  ["l1_data_gas", "l1DataGas"],
  ["l2_gas", "l2Gas"],
] as const;
