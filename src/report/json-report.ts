import type { PageData } from './page-data.js';
import { safeJson } from './safe-text.js';

/**
 * A report for programs: the data of the page as one JSON document, `testgrad.page/1`, free text of models and tests
 * included. Control and invisible characters are escaped.
 */
export const renderJson = (data: PageData): string => `${safeJson(data)}\n`;
