/** Finds ids of a dataset that differ from a given one only in case, in how `__` is written, or in a known prefix. */
export function closeIds(ids: readonly string[]): (unknown: string) => string | null {
  const byPlainForm = new Map(ids.map((id) => [plainForm(id), id]));
  return (unknown) => byPlainForm.get(plainForm(unknown)) ?? null;
}

function plainForm(id: string): string {
  return id
    .toLowerCase()
    .replace(/^(?:.*\/)?(?:instance_|sweb\.eval\.[^.]*\.)?/, '')
    .replace(/:[\w.-]+$/, '')
    .replaceAll('_1776_', '__')
    .replace(/[_-]+/g, '-');
}
