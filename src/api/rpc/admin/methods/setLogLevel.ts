import { literal } from "#base/codec/index.ts";
import { LOG_LEVELS } from "#base/telemetry/index.ts";
import { required } from "../../method.ts";
import { record, texts } from "../../spec/schemas/common.ts";
import { adminMethod } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_setLogLevel`: sets the log level until the node stops; returns the
 * previous level.
 */
export const setLogLevel = adminMethod({
  name: "appchain_setLogLevel",
  family: "write",
  runsOn: "main",
  summary: "Sets the log level until the node stops; returns the previous level.",
  params: () => ({ level: required(literal(...LOG_LEVELS)) }),
  result: () => (previous: string) => ({ previous }),
  answer: () => record({ previous: texts(...LOG_LEVELS) }),
  errors: [],
  handler: (context, { level }) => context.admin.setLogLevel(level),
});
