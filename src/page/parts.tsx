import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CellMark } from '../report/matrix-view.js';
import type { DiffLine } from '../report/page-data.js';
import { MARKS } from './text.js';

/** A part of the page with a heading that links can name. */
export function Section({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="part" aria-labelledby={`h-${id}`}>
      <h2 id={`h-${id}`}>{title}</h2>
      {note === undefined ? null : <p class="note">{note}</p>}
      {children}
    </section>
  );
}

/** An outcome: a sign, a word, and a colour that adds nothing. */
export function Mark({ mark }: { mark: CellMark }) {
  const { sign, word } = MARKS[mark];
  return (
    <span class={`mark ${mark}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** A test's id: what it is called, then where it is. */
export function TestName({ id, spread = '', file: shown = true }: { id: string; spread?: string; file?: boolean }) {
  const [file = '', ...names] = id.split('::');
  const name = names.join('::');
  return (
    <span class="test">
      <code>{name === '' ? file : name}</code>
      {spread === '' ? null : <span class="spread"> {spread}</span>}
      {name === '' || !shown ? null : <span class="file">{file}</span>}
    </span>
  );
}

/** Lines of a diff; the sign of a line tells what its colour tells. */
export function DiffLines({ lines }: { lines: readonly DiffLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    <pre class="diff" tabIndex={0}>
      {lines.map(({ sign, text, only }, index) => {
        const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : /^(@@ |# )/.test(text) ? 'head' : 'same';
        return (
          <span key={index} class={`line ${kind}${only ? ' only' : ''}`}>
            <span class="sign">{`${only ? '◆' : ' '}${sign}`}</span>
            {text}
            {'\n'}
          </span>
        );
      })}
    </pre>
  );
}

/** A place for what may be wider than the page: it scrolls by itself, also by the keyboard. */
export function Scroll({
  label,
  tall = false,
  onKeyDown,
  children,
}: {
  label: string;
  tall?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section would be one more entry among the page's parts.
    <div class={tall ? 'scroll tall' : 'scroll'} tabIndex={0} role="group" aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

/** The head of a table. */
export function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Text that scrolls in a box of its own. */
export function Block({ text, label, wrap = false }: { text: string; label: string; wrap?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section would be one more entry among the page's parts.
    <pre class={wrap ? 'block wrap' : 'block'} tabIndex={0} role="group" aria-label={label}>
      {text}
    </pre>
  );
}

/** Puts text on the clipboard and says so. */
export function CopyButton({ text, children }: { text: string; children: ComponentChildren }) {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => setSaid('copied'))
      .catch(() => setSaid('not allowed here'));
  };
  return (
    <span>
      <button type="button" onClick={copy}>
        {children}
      </button>
      <span class="said" role="status">
        {said}
      </span>
    </span>
  );
}

/** One choice out of a few, as radio buttons. */
export function Choice<Value extends string>({
  label,
  name,
  options,
  value,
  onChange,
}: {
  label: string;
  name: string;
  options: readonly { readonly value: Value; readonly text: string }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={option.value === value ? 'on' : ''}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.text}
        </label>
      ))}
    </fieldset>
  );
}

/** A box that opens; what is in it is only made when it does. */
export function Fold({
  title,
  open = false,
  id,
  children,
}: {
  title: ComponentChildren;
  open?: boolean;
  id?: string;
  children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details id={id} open={isOpen} onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{title}</summary>
      {isOpen ? <div class="folded">{children()}</div> : null}
    </details>
  );
}
