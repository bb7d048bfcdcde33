/** Folders below the state folder that command line and workers share. */
export const STATE_FOLDERS = { store: 'store', runs: 'runs', work: 'work' } as const;

/** Kind of the binding that says a run is done; its key is the run's id. */
export const DECISION_KIND = 'decision';
