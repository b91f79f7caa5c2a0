// House rules that oxlint has no rule for (see CONTRIBUTING.md, "Never").

/** `throw new Error(...)`: errors are typed families of #errors/index.ts. */
const noRawError = {
  create(context) {
    return {
      ThrowStatement(node) {
        const thrown = node.argument;
        if (thrown?.type === "NewExpression" && thrown.callee.name === "Error") {
          context.report({ node, message: "Throw an AppError family of #errors/index.ts." });
        }
      },
    };
  },
};

/** Exported declarations carry a docblock. */
const exportedDocblock = {
  create(context) {
    const source = context.sourceCode;
    const check = (node) => {
      if (!node.declaration) return;
      const before = source.getCommentsBefore(node);
      const last = before.at(-1);
      if (last?.type !== "Block" || !last.value.startsWith("*")) {
        context.report({ node, message: "An exported symbol needs a docblock." });
      }
    };
    return { ExportNamedDeclaration: check };
  },
};

export default {
  meta: { name: "house" },
  rules: { "no-raw-error": noRawError, "exported-docblock": exportedDocblock },
};
