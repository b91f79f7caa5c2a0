import { json } from "#base/codec/index.ts";
import { type Method, optional } from "../../method.ts";
import { InvalidParamsError } from "../../decode-params.ts";
import { type DevnetContext, devnetMethod, NOTHING } from "../devnet-context.ts";
import { decodeDump } from "../dump/entry.ts";
import { loadDump, type MethodLookup } from "../dump/replay.ts";
import { filePath } from "../dump/shared.ts";

/**
 * Creates JSON-RPC method `devnet_load`, which restarts the chain and replays the requests of a
 * dump file.
 *
 * @param find - finds the methods of a dump's requests
 */
export const loadMethod = (find: MethodLookup): Method<DevnetContext> =>
  devnetMethod({
    name: "devnet_load",
    family: "write",
    runsOn: "main",
    summary: "Restarts the chain and replays the requests of a dump, from a file or inline.",
    params: () => ({ path: optional(filePath, undefined), dump: optional(json, undefined) }),
    result: () => NOTHING,
    errors: [],
    async handler(context, { path, dump }) {
      const { dumps } = context.devnet;
      if ((path === undefined) === (dump === undefined)) {
        throw new InvalidParamsError(
          "path",
          "the path of a dump, or the dump itself in dump",
          path === undefined ? "neither" : "both",
        );
      }
      const document = path === undefined ? dump : await dumps.read(path);
      await loadDump({ context, dumps, find }, decodeDump(document ?? null), false);
    },
  });
