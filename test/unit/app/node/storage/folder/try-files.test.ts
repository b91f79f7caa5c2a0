import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { setupOf } from "#app/node/setup/node-setup.ts";
import { tryFiles } from "#app/node/storage/folder/try-files.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { followStore } from "#app/node/setup/follow.ts";
import { ConfigError } from "#base/errors/index.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { replicationOptions } from "#test/helpers/options.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();

/** Result of checking the files of a node. */
function tried(options: NodeOptions): string | undefined {
  try {
    tryFiles(options, setupOf(options, null));
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return undefined;
}

test("refuses object-store keys readable by others, in every role", async () => {
  const credentialsFile = folder.file("keys");
  writeFileSync(credentialsFile, "AWS_ACCESS_KEY_ID=a\nAWS_SECRET_ACCESS_KEY=b\n", { mode: 0o644 });
  const store = {
    bucket: "chain",
    prefix: "",
    endpoint: "http://127.0.0.1:9",
    region: "us-east-1",
    credentialsFile,
  };
  const options = await nodeOptions({ basePath: folder.path });
  const leader = replicationOptions({ store });
  const standby = { ...leader, standby: { takeoverAfterMs: 4_000 } };
  const follow = followStore(store);
  for (const change of [{ replication: leader }, { replication: standby, follow }, { follow }]) {
    expect(tried({ ...options, ...change })).toBe(
      `${credentialsFile}: other users can access the keys of the object store; run chmod 600 on the file`,
    );
  }
  expect(tried(options)).toBeUndefined();
});
