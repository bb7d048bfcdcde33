/** The part of a run id that commands are shown with; commands take any unique beginning. */
export const shortRunId = (runId: string): string => runId.slice(0, 8);
