import { adminMethod } from "../admin-context.ts";

/** appchain_ping. */
export const ping = adminMethod({
  name: "appchain_ping",
  family: "read",
  runsOn: "main",
  summary: "Answers the text pong: the node is there, and the token is right.",
  params: () => ({}),
  result: () => (answer: string) => answer,
  answer: () => ({ const: "pong" }),
  errors: [],
  handler(context) {
    context.admin.note("ping", {});
    return "pong";
  },
});
