import { withoutMigrations } from "../origin-trace.ts";
import { type TraceEncoders, traceEncoders, type TraceShape } from "../trace-encoders.ts";
import { encodeChanges } from "../v0_10/state-update.ts";
import { TRACE_SHAPE as NEWER_SHAPE } from "../v0_10/trace.ts";

/**
 * Encoders of the parts of a trace in JSON-RPC 0.9; older versions override some of them. A
 * STATE_DIFF has no migrated classes.
 */
export const TRACE_SHAPE: TraceShape = {
  ...NEWER_SHAPE,
  stateDiff: encodeChanges,
  originTrace: ({ json }) => withoutMigrations(json),
};

/** Encoders of traces, simulations and message fee estimates in JSON-RPC 0.9. */
export const TRACE_ENCODERS: TraceEncoders = traceEncoders(TRACE_SHAPE);
