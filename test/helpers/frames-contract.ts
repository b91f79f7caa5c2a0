import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hash } from "starknet";

/** Class file of `test/contracts/frames`, for `--predeclare-class`. */
export const FRAMES_FILE: string = resolve(
  import.meta.dir,
  "../contracts/frames/frames.sierra.json",
);

/** Address of the universal deployer on every chain. */
export const DEPLOYER = "0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf";

/** Returns the hash of a class file that `--predeclare-class` declared, by starknet.js. */
export function classHashOfFile(path: string): string {
  const sierra = JSON.parse(readFileSync(path, "utf8")) as { readonly abi: string };
  return hash.computeContractClassHash(
    JSON.stringify({ ...sierra, abi: JSON.parse(sierra.abi) as unknown }),
  );
}

/** Call of the universal deployer that creates a contract without constructor, and its address. */
export function deployCall(classHash: string, salt: string) {
  return {
    address: hash.calculateContractAddressFromHash(salt, classHash, [], 0),
    call: {
      contractAddress: DEPLOYER,
      entrypoint: "deployContract",
      calldata: [classHash, salt, "0x0", "0x0"],
    },
  };
}
