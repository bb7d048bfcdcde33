/** One value of a file that holds many, or why there is none at that place. */
export type FileItem =
  | {
      readonly kind: 'value';
      readonly value: unknown;
      /** Its key where the file is an object, else null. */
      readonly key: string | null;
      /** Where it stands, for people: `line 12`, `item 3`, `row 7`. */
      readonly place: string;
    }
  | {
      readonly kind: 'malformed';
      readonly place: string;
      /** What is wrong, for people: `not JSON (unexpected end)`. */
      readonly problem: string;
    };

/** Longest value of a file that is read: 64 MiB. What is longer is skipped and told, so that memory stays bounded. */
export const MAX_ITEM_BYTES = 64 * 1024 * 1024;

/** The text of JSON bytes: UTF-8 with or without a byte order mark. Throws a TypeError for other bytes. */
export function jsonText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** One JSON value, or why its bytes are none. */
export function parseItem({ bytes, place }: { bytes: Uint8Array; place: string }): FileItem {
  let text: string;
  try {
    text = jsonText(bytes);
  } catch {
    return { kind: 'malformed', place, problem: 'not UTF-8' };
  }
  try {
    return { kind: 'value', value: JSON.parse(text) as unknown, key: null, place };
  } catch (error) {
    return { kind: 'malformed', place, problem: `not JSON (${(error as Error).message.slice(0, 120)})` };
  }
}
