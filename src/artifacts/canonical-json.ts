/**
 * JSON text in which equal values have equal bytes: properties sorted by UTF-16 code units, no white space.
 *
 * As in `JSON.stringify`, properties that are undefined are left out and `toJSON` is honoured. Unlike it, a value that
 * JSON cannot hold (NaN, Infinity, a function, undefined in an array, a bigint) is a TypeError instead of a silent null.
 * Follows RFC 8785 (JSON Canonicalization Scheme).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== 'object') throw new TypeError(`JSON cannot hold ${typeof value} ${String(value)}`);
  if (hasToJson(value)) return canonicalJson(value.toJSON());
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  const properties = Object.entries(value)
    .filter(([, property]) => property !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, property]) => `${JSON.stringify(name)}:${canonicalJson(property)}`);
  return `{${properties.join(',')}}`;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
