/** Names of the gas members of `execution_resources`, each in JSON and in this code. */
export const GAS_MEMBERS = [
  ["l1_gas", "l1Gas"],
  ["l1_data_gas", "l1DataGas"],
  ["l2_gas", "l2Gas"],
] as const;
