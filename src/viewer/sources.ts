import type { InstancePage, PageData, PageListing } from '../report/page-data.js';

/** What a viewer shows: read anew for every question, so that the page follows what happens. */
export interface ViewerSource {
  /** The run used last first. */
  readonly runs: () => Promise<readonly PageListing[]>;
  /** A run by its id, a unique beginning of it, or `last`; null when there is none. */
  readonly run: (id: string) => Promise<PageData | null>;
  /** An instance of a benchmark; null when there is none. */
  readonly instance: (place: { readonly run: string; readonly instance: string }) => Promise<InstancePage | null>;
}
