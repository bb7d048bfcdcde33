import { useEffect } from 'preact/hooks';
import { counted } from '../core/counted.js';
import type { Progress } from '../core/progress.js';
import type { PageMomentum, PageStep } from '../report/page-data.js';
import { Block, DiffLines, Fold } from './parts.js';
import { count, duration, price } from './text.js';

/** The step that is in work: what is scored is in the time line already. */
export function stepInWork({
  steps,
  progress,
}: {
  steps: readonly PageStep[];
  progress: Progress | null;
}): { readonly step: number; readonly text: string } | null {
  if (progress === null || ['checker', 'finish', 'done'].includes(progress.phase)) return null;
  const step = (steps.at(-1)?.step ?? -1) + 1;
  if (progress.steps > 0 && step > progress.steps) return null;
  const turn = progress.phase === 'backward' && progress.turn > 0 ? `, turn ${progress.turn}` : '';
  return { step, text: `${progress.paused ? 'paused: ' : ''}${progress.message}${turn}` };
}

/** y_0 … y_K: what each update changed and what it brought, and the one in work. */
export function TimeLine({
  steps,
  open,
  inWork,
}: {
  steps: readonly PageStep[];
  open: number | null;
  inWork: { readonly step: number; readonly text: string } | null;
}) {
  useEffect(() => {
    if (open !== null) document.getElementById(`y${open}`)?.scrollIntoView();
  }, [open]);
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={step.step} class={step.failed ? 'failed' : 'gained'}>
          <Fold
            id={`y${step.step}`}
            open={open === step.step}
            title={<Summary step={step} before={steps[index - 1]} />}
          >
            {() => <Detail step={step} />}
          </Fold>
        </li>
      ))}
      {inWork === null ? null : (
        <li class="working">
          <b class="y">y{inWork.step}</b> <span class="dim">… in work: {inWork.text}</span>
        </li>
      )}
    </ol>
  );
}

/** What a step brought, in words: the sign in front says the same. */
function broughtOf({ step, before }: { step: PageStep; before: PageStep | undefined }): string {
  if (step.refusals.length > 0 && step.operations.length === 0) return '✗ refused';
  if (step.failed) return '○ separated nobody in the lead';
  const left = step.leaders.length;
  if (before === undefined) return step.loss === 0 ? '● separates' : '○ separates nobody';
  return left < before.leaders.length ? `● ${before.leaders.length} → ${left} in the lead` : '● new separating tests';
}

function Summary({ step, before }: { step: PageStep; before: PageStep | undefined }) {
  const [first, ...more] = step.operations;
  return (
    <>
      <b class="y">y{step.step}</b>
      <span class="what">
        {first === undefined ? step.step === 0 ? 'the tests as they are' : 'no update' : <Operation text={first} />}
        {more.length === 0 ? '' : ` and ${more.length} more`}
      </span>
      <span class="brought">{broughtOf({ step, before })}</span>
      <span class="facts">
        loss {step.loss}
        {step.loss === 0 && step.leaders.length > 1 ? `, ${step.leaders.length} still in the lead` : ''} ·{' '}
        {counted(step.differential, 'separating row')} · {count(step.tokens)} tokens
        {step.durationMs === null ? '' : ` · ${duration(step.durationMs)}`}
      </span>
    </>
  );
}

/** `create tests/x.py::A::test_b` with the file behind the name. */
function Operation({ text }: { text: string }) {
  const found = /^(\w+) (.+?)::(.+)$/.exec(text);
  if (found === null) return <code>{text}</code>;
  return (
    <>
      {found[1]} <code>{found[3]}</code> <span class="dim">{found[2]}</span>
    </>
  );
}

function Detail({ step }: { step: PageStep }) {
  return (
    <>
      {step.diagnosis === '' ? null : (
        <p>
          <b>Diagnosis.</b> {step.diagnosis}
        </p>
      )}
      {step.failedDirection === '' ? null : (
        <p>
          <b>Direction that it leaves.</b> {step.failedDirection}
        </p>
      )}
      {step.refusals.map((refusal) => (
        <p key={refusal}>
          <b>✗ Refused.</b> {refusal}
        </p>
      ))}
      {step.operations.length > 1 ? (
        <ul>
          {step.operations.map((operation) => (
            <li key={operation}>
              <Operation text={operation} />
            </li>
          ))}
        </ul>
      ) : null}
      <dl class="pairs">
        <dt>Loss</dt>
        <dd>
          {step.loss}; among those in the lead {step.leaderLoss}
        </dd>
        <dt>In the lead</dt>
        <dd>{step.leaders.join(', ')}</dd>
        <dt>Rows</dt>
        <dd>
          {step.differential} separating, {step.evidence} of them evidence
        </dd>
        <dt>Test files</dt>
        <dd>
          {step.executedFiles} run, {step.reusedFiles} known already
        </dd>
        <dt>Model</dt>
        <dd>
          {counted(step.calls, 'call')}, {count(step.tokens)} tokens, {price(step.usd)}
        </dd>
        <dt>Duration</dt>
        <dd>{step.durationMs === null ? 'not recorded' : duration(step.durationMs)}</dd>
        <dt>Momentum</dt>
        <dd>
          {sizeOf(step.momentumBefore)} before, {step.momentumAfter === null ? 'unchanged' : sizeOf(step.momentumAfter)}{' '}
          after
        </dd>
      </dl>
      {step.diff === null || step.diff.length === 0 ? null : <DiffLines lines={step.diff} />}
      <div class="side">
        <MomentumText title="Momentum before" momentum={step.momentumBefore} />
        <MomentumText title="Momentum after" momentum={step.momentumAfter} />
      </div>
    </>
  );
}

const sizeOf = (momentum: PageMomentum | null): string =>
  momentum === null ? 'none' : `${count(momentum.tokens)} tokens (raw memory ${count(momentum.rawTokens)})`;

/** Momentum as the optimizer is told it; nothing without text. */
export function MomentumText({ title, momentum }: { title: string; momentum: PageMomentum | null }) {
  if (momentum === null || momentum.text === '') return null;
  return (
    <article class="one">
      <h3>{title}</h3>
      <Block text={momentum.text} label={title} wrap />
    </article>
  );
}
