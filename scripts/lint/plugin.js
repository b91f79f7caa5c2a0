// Rules of this repository that oxlint does not have (see CONTRIBUTING.md, "Never").

/** `throw new Error(...)`: errors are typed families of #base/errors/index.ts. */
const noRawError = {
  create(context) {
    return {
      ThrowStatement(node) {
        const thrown = node.argument;
        if (thrown?.type === "NewExpression" && thrown.callee.name === "Error") {
          context.report({ node, message: "Throw an AppError family of #base/errors/index.ts." });
        }
      },
    };
  },
};

/** Exported declarations carry a docblock; the overloads of a function share that of the first. */
const exportedDocblock = {
  create(context) {
    const source = context.sourceCode;
    let above;
    const check = (node) => {
      if (!node.declaration) return;
      const name = /Function/.test(node.declaration.type) ? node.declaration.id?.name : undefined;
      const isOverload = name !== undefined && name === above;
      above = name;
      if (isOverload) return;
      const before = source.getCommentsBefore(node);
      const last = before.at(-1);
      if (last?.type !== "Block" || !last.value.startsWith("*")) {
        context.report({ node, message: "An exported symbol needs a docblock." });
      }
    };
    return { ExportNamedDeclaration: check };
  },
};

/** The path of a file below `src`, as floor, room and the rest. */
const placeOf = (filename) => /(?:^|\/)src\/([^/]+)\/([^/]+)\//.exec(filename)?.slice(1, 3);

/** Relative imports stay in their room: other rooms are imported by their index. */
const staysInRoom = {
  create(context) {
    const place = placeOf(context.filename);
    if (place === undefined) return {};
    const depth = context.filename.split(`/src/${place[0]}/${place[1]}/`)[1].split("/").length - 1;
    const check = (node) => {
      const path = node.source?.value;
      if (typeof path !== "string" || !path.endsWith(".ts")) return;
      const up = path.split("/").filter((part) => part === "..").length;
      if (path.startsWith(".") && up > depth) {
        context.report({
          node,
          message: "Import another room by its index: #floor/room/index.ts.",
        });
      }
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

/**
 * Within a room whose folders have an order (option `order`, the lowest first), relative imports go to
 * lower folders. Files next to the folders are above them all, and so are entries of threads.
 */
const folderOrder = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ folder, order }] = context.options;
    const own = context.filename.split(`/${folder}/`)[1];
    if (own === undefined || own.endsWith(".thread.ts")) return {};
    const rankOf = (path) => {
      const at = path.split("/");
      return at.length === 1 ? order.length : order.indexOf(at[0]);
    };
    const rank = rankOf(own);
    const check = (node) => {
      const path = node.source?.value;
      if (typeof path !== "string" || !path.startsWith(".") || !path.endsWith(".ts")) return;
      const { pathname } = new URL(path, `file:///${folder}/${own}`);
      const target = pathname.split(`/${folder}/`)[1];
      if (target === undefined) return;
      const below = rankOf(target);
      if (below > rank || below === -1 || target.endsWith(".thread.ts")) {
        context.report({ node, message: `${own} may not use ${target} (scripts/lint/floors.ts).` });
      }
    };
    if (rank === -1) {
      return {
        Program(node) {
          context.report({ node, message: `${own} is in a folder without a place in the order.` });
        },
      };
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check };
  },
};

/** An index names its exports, so that a room's interface is readable in one place. */
const noExportAll = {
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: "Name each export." });
      },
    };
  },
};

export default {
  meta: { name: "house" },
  rules: {
    "no-raw-error": noRawError,
    "exported-docblock": exportedDocblock,
    "stays-in-room": staysInRoom,
    "no-export-all": noExportAll,
    "folder-order": folderOrder,
  },
};
