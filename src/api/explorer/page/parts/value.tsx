import type { Decoded, DecodedList } from "../abi/decode.ts";
import { shortString } from "../abi/scalar-text.ts";
import { Hash } from "./hash.tsx";
import { Copy } from "./hash.tsx";
import { visibleText } from "../decode/visible-text.ts";

/** Most elements of a list that are shown before "more". */
const SHOWN = 50;

/** Decoded parameters or results, one a line. */
export function Values({ list }: { readonly list: DecodedList }) {
  const { values, rest, problem } = list;
  return (
    <div class="values">
      {values.map((value, i) => (
        <ValueLine key={i} value={value} />
      ))}
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
        <div class="muted">Decoding stopped: {problem}.</div>
      ) : null}
    </div>
  );
}

function ValueLine({ value }: { readonly value: Decoded }) {
  const { name, type, children } = value;
  const inner = children.length > 0;
  const title = (
    <>
      <span class="value-name">{name === "" ? "·" : visibleText(name)}</span>
      <span class="value-type" title={type}>
        {shortType(type)}
      </span>
    </>
  );
  if (!inner) {
    return (
      <div class="value-line">
        {title}
        <ValueText value={value} />
      </div>
    );
  }
  return (
    <details class="value-line" open={children.length <= 8}>
      <summary>
        {title}
        <span class="muted">{visibleText(value.text)}</span>
      </summary>
      <div class="value-children">
        {children.slice(0, SHOWN).map((child, i) => (
          <ValueLine key={i} value={child} />
        ))}
        {children.length > SHOWN ? (
          <span class="muted">and {children.length - SHOWN} more</span>
        ) : null}
      </div>
    </details>
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
      {felt} {text === undefined ? null : <span class="muted">‘{text}’ </span>}
    </span>
  );
}

/** Drops the modules of a type: `Array<u256>`. */
function shortType(type: string): string {
  return type.replace(/[A-Za-z_]\w*::(?=[A-Za-z_])/g, "").replace(/::</g, "<");
}
