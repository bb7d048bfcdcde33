export const BASE_IMAGE: string;
export function ensureBaseImage(): Promise<string>;
