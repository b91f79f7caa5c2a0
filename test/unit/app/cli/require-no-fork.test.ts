import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { NodeError } from "#base/errors/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import { requireNoFork } from "#app/cli/require-no-fork.ts";

const URL = "http://user:secret@127.0.0.1:5050/rpc";

/** Checks a node that answers `devnet_getConfig` with a result or an error. */
function check(answer: JsonValue | Error): Promise<void> {
  const call = (method: string): Promise<JsonValue> => {
    expect(method).toBe("devnet_getConfig");
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return requireNoFork({ call }, URL, "settled");
}

describe("requireNoFork", () => {
  test("refuses a fork with the reason, without the credentials of the URL", async () => {
    const error = await check({
      fork_config: { url: "http://127.0.0.1:6601/", block_number: 3n },
    }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(
      "the chain of http://127.0.0.1:5050/rpc is a fork and cannot be settled: state roots of a fork cover its local changes alone",
    );
    expect(String(error)).not.toContain("secret");
  });

  test.each<readonly [string, JsonValue]>([
    ["that is no fork", { fork_config: { url: null, block_number: null } }],
    ["without the field", { seed: 0n }],
    ["with another form", [1n]],
    ["with a wrong type", { fork_config: "x" }],
  ])("accepts a development node %s", async (_, config) => {
    expect(await check(config)).toBeUndefined();
  });

  test("accepts a node without the method", async () => {
    const refusal = new RpcRefusal("devnet_getConfig", -32601, "Method not found");
    expect(await check(refusal)).toBeUndefined();
  });

  test("fails when the node does not answer", async () => {
    const error = await check(new NodeError("NODE_UNREACHABLE", "no answer")).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(NodeError);
  });
});
