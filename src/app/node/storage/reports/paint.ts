/** Styles of the start screen. Each wraps a text in the codes of a terminal, or returns it unchanged. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Parts of a stream and of its environment that decide about colours. */
export interface ColourTerms {
  readonly isTTY?: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether to use colours: on a terminal, unless `NO_COLOR` is set or the terminal has none. */
export function hasColours({ isTTY, environment }: ColourTerms): boolean {
  const { NO_COLOR: noColour = "", TERM: terminal } = environment;
  return isTTY === true && noColour === "" && terminal !== "dumb";
}

/** Returns the styles with colours, or those that change nothing. */
export function paintOf(isColoured: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    isColoured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
