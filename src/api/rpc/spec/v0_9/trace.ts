import { type TraceEncoders, traceEncoders, type TraceShape } from "../trace-encoders.ts";
import { encodeChanges } from "../v0_10/state-update.ts";
import { TRACE_SHAPE as NEWER_SHAPE } from "../v0_10/trace.ts";

/** The shape of traces; older versions change parts of it. A STATE_DIFF has no migrated classes. */
export const TRACE_SHAPE: TraceShape = { ...NEWER_SHAPE, stateDiff: encodeChanges };

/** Traces, simulations and estimates for messages. */
export const TRACE_ENCODERS: TraceEncoders = traceEncoders(TRACE_SHAPE);
