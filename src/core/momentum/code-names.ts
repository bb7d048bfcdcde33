/** Names that every Python text has: keywords, built-in functions, and what methods call their first arguments. */
const COMMON = new Set(
  `self cls None True False and as assert async await break class continue def del elif else except finally for from
   global if import in is lambda nonlocal not or pass raise return try while with yield print len list dict set tuple str
   int float bool bytes object type super range open repr isinstance sum min max any all map filter zip sorted next iter
   get items keys values append key value args kwargs name data result`.split(/\s+/),
);

/**
 * The names in a prose text that are code: in back quotes, called, behind a dot, or written as no English word is
 * (`get_value`, `LRUCache`). Without names of fewer than three letters and those that every Python text has.
 */
export function codeNames(text: string): ReadonlySet<string> {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, inside]) => inside?.match(NAME) ?? []);
  const shaped = [...text.matchAll(/(\.?)\b([A-Za-z_]\w*)(\(?)/g)].flatMap(([, dot, name = '', call]) =>
    dot !== '' || call !== '' || /_|[a-z0-9][A-Z]|^[A-Z]{2,}[a-z]/.test(name) ? [name] : [],
  );
  return new Set([...quoted, ...shaped].filter((name) => name.length > 2 && !COMMON.has(name)));
}

const NAME = /[A-Za-z_]\w*/g;
