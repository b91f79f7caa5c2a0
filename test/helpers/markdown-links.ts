/** A link to a file of the repository, or within a document. */
export interface DocumentLink {
  /** Path relative to the document; empty for the document itself. */
  readonly file: string;
  /** Anchor without `#`; empty if absent. */
  readonly anchor: string;
}

/** The text without fenced blocks. */
function prose(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** Links of a document within the repository. */
export function linksOf(text: string): readonly DocumentLink[] {
  const plain = prose(text).replaceAll(/`[^`\n]*`/g, "");
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [file = "", anchor = ""] = target.split("#");
      return { file, anchor };
    });
}

/** Anchors of a document's headings, in the format of forges. */
export function anchorsOf(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...prose(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => {
    const plain = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
    const slug = plain.trim().replaceAll(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

const FOLDERS =
  /^(?:\.\/)?((?:src|scripts|test|docs|presets|contracts|bin|deploy)\/[\w./-]+)(?: .*)?$/;

/** Files and folders of the repository in a document's code spans, without patterns. */
export function pathsIn(text: string): readonly string[] {
  return [...prose(text).matchAll(/`([^`\n]+)`/g)]
    .map(([, code = ""]) => code)
    .filter((code) => !/[<>*{}$]|NAME|\bN\b/.test(code))
    .flatMap((code) => FOLDERS.exec(code)?.[1] ?? []);
}
