import { withoutMigrations } from "../origin-trace.ts";
import { type TraceEncoders, traceEncoders, type TraceShape } from "../trace-encoders.ts";
import { encodeChanges } from "../v0_10/state-update.ts";
import { TRACE_SHAPE as NEWER_SHAPE } from "../v0_10/trace.ts";

/** Trace shape of this version; older versions override parts of it. A STATE_DIFF has no migrated classes. */
export const TRACE_SHAPE: TraceShape = {
  ...NEWER_SHAPE,
  stateDiff: encodeChanges,
  originTrace: ({ json }) => withoutMigrations(json),
};

/** Encoders of traces, simulations and message fee estimates. */
export const TRACE_ENCODERS: TraceEncoders = traceEncoders(TRACE_SHAPE);
