import { adminMethod } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_ping`: returns the text pong if the node is running and the token is
 * valid.
 */
export const ping = adminMethod({
  name: "appchain_ping",
  family: "read",
  runsOn: "main",
  summary: "Returns the text pong if the node is running and the token is valid.",
  params: () => ({}),
  result: () => (answer: string) => answer,
  answer: () => ({ const: "pong" }),
  errors: [],
  handler(context) {
    context.admin.note("ping", {});
    return "pong";
  },
});
