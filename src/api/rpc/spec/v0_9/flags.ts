import { array, type Decoder, literal } from "#base/codec/index.ts";
import type { Flags } from "../version.ts";

/** Decoder of a list of SIMULATION_FLAG values. */
export const simulationFlags: Decoder<Flags<"SKIP_VALIDATE" | "SKIP_FEE_CHARGE">> = array(
  literal("SKIP_VALIDATE", "SKIP_FEE_CHARGE"),
);
