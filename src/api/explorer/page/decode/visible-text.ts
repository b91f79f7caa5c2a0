/** Longest text that is shown unless the caller sets another length, in characters. */
const MAX_LENGTH = 2_000;

/**
 * Characters that nothing shows or that change how others are shown: controls, formats such as right-to-left marks,
 * separators of lines, halves of pairs, private characters, blank letters.
 */
const HIDDEN =
  /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5)/gu;

/** Marks above or below a character, beyond those that a language puts on one. */
const STACKED = /(?<=\p{M}{4})\p{M}+/gu;

/**
 * Makes a text from the chain safe to read: characters that are invisible or change the direction of text become their
 * code points, such as `\u{202e}`, so that nothing looks like something else.
 *
 * @param maxLength - characters after which the text is cut, with its length
 */
export function visibleText(text: string, maxLength: number = MAX_LENGTH): string {
  const isCut = text.length > maxLength;
  const shown = text
    .slice(0, maxLength)
    .replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(STACKED, "");
  return isCut ? `${shown}… (${text.length} characters)` : shown;
}

/** Shortens a felt: `0x4718…938d`. */
export function shortFelt(felt: string): string {
  return felt.length <= 14 ? felt : `${felt.slice(0, 6)}…${felt.slice(-4)}`;
}
