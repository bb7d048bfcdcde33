import { z } from 'zod';
import { EVENT, MATRIX_DETACHED, MATRIX_RUN, SELECT, SHOW_INSTANCE, SHOW_PART, STATUS } from './run-documents.js';
import {
  APPLY,
  BENCH,
  CANCEL,
  CLEAN,
  COMPARE,
  CONFIG_SHOW,
  DOCTOR,
  DRY_RUN,
  ERROR,
  ERRORS,
  INIT,
  PAUSE,
  REPORT,
  RESUME,
  STACK,
  VIEW,
} from './tool-documents.js';

/**
 * What --json and --events print, by the value of `schema`. A number after the slash changes with a field that goes or
 * means something else; fields may be added where a schema allows others.
 */
export const DOCUMENTS: Readonly<Record<string, z.ZodType>> = {
  'testgrad.apply/1': APPLY,
  'testgrad.bench/1': BENCH,
  'testgrad.cancel/1': CANCEL,
  'testgrad.clean/1': CLEAN,
  'testgrad.compare/1': COMPARE,
  'testgrad.config-show/1': CONFIG_SHOW,
  'testgrad.doctor/1': DOCTOR,
  'testgrad.dry-run/1': DRY_RUN,
  'testgrad.error/1': ERROR,
  'testgrad.errors/1': ERRORS,
  'testgrad.event/1': EVENT,
  'testgrad.init/1': INIT,
  'testgrad.matrix-run/1': MATRIX_RUN,
  'testgrad.matrix/1': MATRIX_DETACHED,
  'testgrad.pause/1': PAUSE,
  'testgrad.report/1': REPORT,
  'testgrad.resume/1': RESUME,
  'testgrad.select/1': SELECT,
  'testgrad.show-instance/1': SHOW_INSTANCE,
  'testgrad.show-part/1': SHOW_PART,
  'testgrad.stack/1': STACK,
  'testgrad.status/1': STATUS,
  'testgrad.view/1': VIEW,
};

/** A document's JSON Schema, as it is published. */
export const documentJsonSchema = (name: string): object => ({
  $id: name,
  ...z.toJSONSchema(DOCUMENTS[name] ?? z.never()),
});
