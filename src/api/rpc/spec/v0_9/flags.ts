import { array, type Decoder, literal } from "#base/codec/index.ts";
import type { Flags } from "../version.ts";

/** Decoder of a list of SIMULATION_FLAG values of JSON-RPC 0.9. */
export const simulationFlags: Decoder<Flags<"SKIP_VALIDATE" | "SKIP_FEE_CHARGE">> = array(
  literal("SKIP_VALIDATE", "SKIP_FEE_CHARGE"),
);
