import type { LibfuncFamily } from "../../libfunc/specialization.ts";
import { addCircuitInput, initCircuitData } from "./data.ts";
import { getCircuitDescriptor } from "./descriptor.ts";
import { evalCircuit } from "./eval.ts";
import { circuitFailureGuaranteeVerify } from "./failure-guarantee.ts";
import {
  u96LimbsLessThanGuaranteeVerify,
  u96SingleLimbLessThanGuaranteeVerify,
} from "./less-than-guarantee.ts";
import { tryIntoCircuitModulus } from "./modulus.ts";
import { getCircuitOutput } from "./output.ts";
import { intoU96Guarantee, u96GuaranteeVerify } from "./u96-guarantee.ts";

/** Libfuncs of modular arithmetic circuits. */
export const CIRCUIT_LIBFUNCS: LibfuncFamily = {
  init_circuit_data: initCircuitData,
  add_circuit_input: addCircuitInput,
  get_circuit_descriptor: getCircuitDescriptor,
  eval_circuit: evalCircuit,
  get_circuit_output: getCircuitOutput,
  try_into_circuit_modulus: tryIntoCircuitModulus,
  circuit_failure_guarantee_verify: circuitFailureGuaranteeVerify,
  into_u96_guarantee: intoU96Guarantee,
  u96_guarantee_verify: u96GuaranteeVerify,
  u96_limbs_less_than_guarantee_verify: u96LimbsLessThanGuaranteeVerify,
  u96_single_limb_less_than_guarantee_verify: u96SingleLimbLessThanGuaranteeVerify,
};
