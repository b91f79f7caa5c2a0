import { describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { type ObjectStoreKeys, readObjectStoreKeys } from "#io/objects/index.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();

function keyFile(text: string, mode = 0o600): string {
  const path = folder.file(`keys-${crypto.randomUUID()}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const readFile = (path: string): ObjectStoreKeys =>
  readObjectStoreKeys({ credentialsFile: path }, {});

/** Message of the ConfigError that reading keys throws. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(Bun.inspect(error)).not.toContain("hidden");
    return (error as ConfigError).message;
  }
  return "";
}

const PAIRS = "AWS_ACCESS_KEY_ID=id\nAWS_SECRET_ACCESS_KEY=hidden\n";

describe("readObjectStoreKeys", () => {
  test("reads the environment, or the file if there is one", () => {
    const environment = {
      AWS_ACCESS_KEY_ID: "id",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_SESSION_TOKEN: "token",
    };
    expect(readObjectStoreKeys({ credentialsFile: null }, environment)).toEqual({
      accessKeyId: "id",
      secretAccessKey: "secret",
      sessionToken: "token",
    });
    const path = keyFile(
      "# of the chain\n AWS_ACCESS_KEY_ID = a/b+c= \r\nAWS_SECRET_ACCESS_KEY=hidden==\n",
    );
    expect(readObjectStoreKeys({ credentialsFile: path }, environment)).toEqual({
      accessKeyId: "a/b+c=",
      secretAccessKey: "hidden==",
      sessionToken: null,
    });
  });

  test("rejects a file that other users can access", () => {
    for (const mode of [0o600, 0o400, 0o700]) {
      expect(readFile(keyFile(PAIRS, mode)).secretAccessKey).toBe("hidden");
    }
    for (const mode of [0o640, 0o604, 0o644, 0o660, 0o620, 0o602, 0o610, 0o601]) {
      const path = keyFile(PAIRS, mode);
      expect(refusal(() => readFile(path))).toBe(
        `${path}: other users can access the keys of the object store; run chmod 600 on the file`,
      );
    }
  });

  test("names the key that is missing or empty", () => {
    const path = keyFile("AWS_ACCESS_KEY_ID=id\nAWS_SECRET_ACCESS_KEY=\n");
    expect(refusal(() => readFile(path))).toBe(
      `the object store needs AWS_SECRET_ACCESS_KEY: it is not in ${path}`,
    );
    expect(
      refusal(() =>
        readObjectStoreKeys({ credentialsFile: null }, { AWS_SECRET_ACCESS_KEY: "hidden" }),
      ),
    ).toBe("the object store needs AWS_ACCESS_KEY_ID: it is not in the environment");
  });

  test("rejects keys that no header can hold, without showing them", () => {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]) {
      for (const value of ["hidden\nx", "hid den", "hidden\u0000", "hiddenä", "h".repeat(16_385)]) {
        const environment = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", [name]: value };
        expect(refusal(() => readObjectStoreKeys({ credentialsFile: null }, environment))).toBe(
          `invalid ${name} in the environment for the object store: only visible ASCII characters are allowed`,
        );
      }
    }
  });

  test("rejects a path that is not a readable file", () => {
    for (const path of [folder.file("missing"), folder.path]) {
      expect(refusal(() => readFile(path))).toBe(
        `${path}: the file with the keys of the object store cannot be read`,
      );
    }
  });
});
