/** Builds the page into `out`; its types are checked first unless `check` is false. */
export function buildPage(options: { readonly out: string; readonly check?: boolean }): Promise<void>;
