import type { Decoded, DecodedList } from "../abi/decode.ts";
import { shortString } from "../abi/scalar-text.ts";
import { Fold } from "./fold.tsx";
import { Copy, Hash } from "./hash.tsx";
import { visibleText } from "../decode/visible-text.ts";

/** Most elements of a list that are shown before "more". */
const SHOWN = 50;
/** Lists and records of at most so many elements are open at first, down to a depth. */
const FEW = 8;
const OPEN_DEPTH = 3;
/** Longest name, and longest type in full, in characters. */
const MAX_NAME = 120;
const MAX_TYPE = 1_000;

/** Decoded parameters or results, one a line. */
export function Values({ list }: { readonly list: DecodedList }) {
  const { values, rest, problem } = list;
  return (
    <div class="values">
      {values.slice(0, SHOWN).map((value, i) => (
        <ValueLine key={i} value={value} depth={0} />
      ))}
      {values.length > SHOWN ? <span class="muted">and {values.length - SHOWN} more</span> : null}
      {rest.length === 0 ? null : (
        <div class="value-line">
          <span class="muted">{values.length === 0 ? "felts" : "rest"}</span>
          <span class="mono wrap">
            {rest.slice(0, SHOWN).map((felt, i) => (
              <FeltText key={i} felt={felt} />
            ))}
            {rest.length > SHOWN ? ` and ${rest.length - SHOWN} more` : ""}
          </span>
        </div>
      )}
      {problem !== null && values.length > 0 ? (
        <div class="muted">Decoding stopped: {visibleText(problem, MAX_TYPE)}.</div>
      ) : null}
    </div>
  );
}

function ValueLine({ value, depth }: { readonly value: Decoded; readonly depth: number }) {
  const { name, type, children } = value;
  const title = (
    <>
      <span class="value-name">{name === "" ? "·" : visibleText(name, MAX_NAME)}</span>
      <span class="value-type" title={visibleText(type, MAX_TYPE)}>
        {visibleText(shortType(type), MAX_NAME)}
      </span>
    </>
  );
  if (children.length === 0) {
    return (
      <div class="value-line">
        {title}
        <ValueText value={value} />
      </div>
    );
  }
  const summary = (
    <>
      {title}
      <span class="muted">{visibleText(value.text, MAX_NAME)}</span>
    </>
  );
  return (
    <Fold
      class="value-line"
      summary={summary}
      isOpen={children.length <= FEW && depth < OPEN_DEPTH}
    >
      {() => (
        <div class="value-children">
          {children.slice(0, SHOWN).map((child, i) => (
            <ValueLine key={i} value={child} depth={depth + 1} />
          ))}
          {children.length > SHOWN ? (
            <span class="muted">and {children.length - SHOWN} more</span>
          ) : null}
        </div>
      )}
    </Fold>
  );
}

function ValueText({ value }: { readonly value: Decoded }) {
  if (value.kind === "address") return <Hash felt={value.text} to="contract" isWhole />;
  if (value.kind === "text") {
    return (
      <span class="wrap">
        “{visibleText(value.text)}” <Copy text={value.text} what="text" />
      </span>
    );
  }
  if (value.text.startsWith("0x")) return <FeltText felt={value.text} />;
  return <span class="mono wrap">{visibleText(value.text)}</span>;
}

/** Felt in hex, with its short string if it is one. */
export function FeltText({ felt }: { readonly felt: string }) {
  const text = shortString(felt);
  return (
    <span class="mono wrap">
      {felt} {text === undefined ? null : <span class="muted">‘{visibleText(text)}’ </span>}
    </span>
  );
}

/** Drops the modules of a type: `Array<u256>`. */
function shortType(type: string): string {
  return type.replace(/[A-Za-z_]\w*::(?=[A-Za-z_])/g, "").replace(/::</g, "<");
}
