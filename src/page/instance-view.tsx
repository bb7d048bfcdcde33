import { counted } from '../core/counted.js';
import type { InstancePage, PageData, PageOutcome, PageRun, PageTest } from '../report/page-data.js';
import { MomentumChart } from './charts.js';
import { DiffsView } from './diffs-view.js';
import { Glossary } from './glossary.js';
import { MatrixTable } from './matrix-table.js';
import { MethodsHere } from './methods-here.js';
import { Block, CopyButton, Fold, Head, Scroll, Section, TestName } from './parts.js';
import type { Route } from './route.js';
import { count, price } from './text.js';
import { MomentumText, stepInWork, TimeLine } from './timeline.js';

/** One instance: the answer, the evidence, then how it was found. */
export function InstanceView({
  data,
  instance,
  route,
  setParams,
}: {
  data: PageData;
  instance: InstancePage;
  route: Route;
  setParams: (change: Readonly<Record<string, string | null>>) => void;
}) {
  const { outcome, matrix, diffs, steps, logs } = instance;
  const step = Number(route.params.step ?? Number.NaN);
  const inWork = stepInWork({ steps, progress: data.progress });
  return (
    <>
      <h1>{instance.title}</h1>
      {outcome === null ? null : <Answer outcome={outcome} instance={instance} run={data.run} />}
      <MethodsHere data={data} id={instance.id} />
      {matrix === null ? null : (
        <Section
          id="matrix"
          title="Outcomes"
          note={`${counted(matrix.tests, 'test')} of y${matrix.step}; a row opens on its name.`}
        >
          <MatrixTable
            matrix={matrix}
            show={route.params.show}
            test={route.params.test}
            onShow={(show) => setParams({ show: show === 'separating' ? null : show })}
          />
        </Section>
      )}
      <Candidates instance={instance} />
      {diffs.length === 0 ? null : (
        <Section id="diffs" title="Changes">
          <DiffsView diffs={diffs} candidates={instance.candidates} />
        </Section>
      )}
      {steps.length === 0 && inWork === null ? null : (
        <Section id="steps" title="Time line" note="How the tests evolved, and what each update brought.">
          <TimeLine steps={steps} open={Number.isInteger(step) ? step : null} inWork={inWork} />
        </Section>
      )}
      {instance.momentum === null ? null : (
        <Section id="momentum-now" title="Momentum">
          <MomentumText title="Shared by failed updates" momentum={instance.momentum} />
        </Section>
      )}
      <Cost instance={instance} />
      {instance.issue === null ? null : (
        <Section id="issue" title="Issue">
          <Block text={instance.issue} label="Text of the issue" wrap />
        </Section>
      )}
      {logs.length === 0 ? null : (
        <Section id="logs" title="Conversations" note="What models were asked and answered, as text.">
          <Logs instance={instance} />
        </Section>
      )}
      <Facts data={data} />
      <Glossary />
    </>
  );
}

function Answer({ outcome, instance, run }: { outcome: PageOutcome; instance: InstancePage; run: PageRun }) {
  const { selected, verdict, sentence, reason, tests } = outcome;
  const winner = instance.candidates.find((candidate) => candidate.selected);
  const [first] = tests;
  const low = outcome.kind === 'fallback' || selected === null;
  return (
    <section class={low ? 'answer low' : 'answer'} aria-label="Decision">
      <div class="halves">
        <div>
          <p class="winner">
            {selected === null ? <b>No recommendation</b> : <b>▸ {selected}</b>}
            {winner === undefined ? null : <span class="dim"> {winner.note}</span>}
          </p>
          <p class="verdict">{verdict}.</p>
          {sentence === '' ? null : <p class="sentence">{sentence}</p>}
          {first === undefined || first.quote === '' ? null : (
            <>
              <p class="dim">{first.class === 'issue' ? 'The issue says:' : 'For this the issue says:'}</p>
              <blockquote>{first.quote}</blockquote>
            </>
          )}
          <p class="buttons">
            {run.kind === 'bench' ? (
              <CopyButton text={`testgrad show ${run.id.slice(0, 8)}/${instance.id}`}>copy “testgrad show”</CopyButton>
            ) : (
              <CopyButton text={`testgrad apply ${run.id.slice(0, 8)}`}>copy “testgrad apply”</CopyButton>
            )}
            {instance.winnerPatch === null ? null : <CopyButton text={instance.winnerPatch}>copy the patch</CopyButton>}
            {instance.testPatch === null ? null : (
              <CopyButton text={instance.testPatch}>copy the deciding tests</CopyButton>
            )}
          </p>
        </div>
        {reason === '' ? null : (
          <div>
            <h2>{outcome.chosenBy === 'checker' ? 'The checker’s reason' : 'The rule that chose'}</h2>
            <p>{reason}</p>
          </div>
        )}
      </div>
      {tests.length === 0 ? null : (
        <Fold title={tests.length === 1 ? 'The deciding test' : `The ${tests.length} deciding tests`} open={false}>
          {() => tests.map((test) => <DecidingTest key={`${test.testId} ${test.spread}`} test={test} />)}
        </Fold>
      )}
    </section>
  );
}

function DecidingTest({ test }: { test: PageTest }) {
  const origin = test.origin === 'original' ? 'in the repository already' : `${test.origin} at step ${test.step}`;
  const base = test.onBase === 'unknown' ? '' : `; the unpatched base ${test.onBase} it`;
  const reruns = test.reruns === 0 ? '' : `; confirmed by ${counted(test.reruns, 'rerun')}`;
  return (
    <article class="deciding">
      <h3>
        <TestName id={test.testId} spread={test.spread} />
      </h3>
      <p>
        {origin}, {test.class}; {test.outcome}
        {base}
        {reruns}.
      </p>
      {test.quote === '' ? null : <blockquote>{test.quote}</blockquote>}
      {test.source === null ? null : <Block text={test.source} label={`Source of ${test.testId}`} />}
    </article>
  );
}

function Candidates({ instance }: { instance: InstancePage }) {
  if (instance.candidates.length === 0) return null;
  return (
    <Section id="candidates" title="Candidates">
      <ul class="candidates">
        {instance.candidates.map(({ id, agent, label, selected, leader, state, note, sameAs }) => (
          <li key={id}>
            <b>{agent}</b> {selected ? <span class="over">▸ selected</span> : null}
            {leader && !selected ? <span class="over">in the lead</span> : null}{' '}
            <span class="dim">
              {note}
              {label === null ? '' : `; models saw it as ${label}`}
              {sameAs === null ? '' : `; the same change as ${sameAs}`}
              {state === 'usable' ? '' : '.'}
            </span>
          </li>
        ))}
      </ul>
      {instance.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </Section>
  );
}

function Cost({ instance }: { instance: InstancePage }) {
  const { total, byRole } = instance.usage;
  if (total.calls === 0) return null;
  const points = instance.steps.flatMap(({ step, momentumAfter }) =>
    momentumAfter === null ? [] : [{ step, momentum: momentumAfter.tokens, raw: momentumAfter.rawTokens }],
  );
  return (
    <Section id="cost" title="Cost">
      <Scroll label="Table of costs">
        <table class="list numbers">
          <Head names={['Model as', 'Calls', 'Tokens in', 'Tokens out', 'Price']} />
          <tbody>
            {[...byRole, { role: 'together', usage: total }].map(({ role, usage }) => (
              <tr key={role}>
                <th scope="row">{role}</th>
                <td>{usage.calls}</td>
                <td>{count(usage.inputTokens)}</td>
                <td>{count(usage.outputTokens)}</td>
                <td>{price(usage.usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {points.length < 2 ? null : (
        <MomentumChart points={points} title="Momentum against raw memory after failed updates" />
      )}
    </Section>
  );
}

function Logs({ instance }: { instance: InstancePage }) {
  return (
    <>
      {instance.logs.map(({ role, step, messages }) => (
        <Fold
          key={`${role} ${step}`}
          title={`${role}${role === 'checker' ? '' : `, y${step}`}: ${counted(messages.length, 'message')}`}
        >
          {() =>
            messages.map(({ who, text }, index) => (
              <article key={index} class={`message ${who}`}>
                <h3>{who}</h3>
                <Block text={text} label={`What ${who} said, ${index + 1} of ${messages.length}`} wrap />
              </article>
            ))
          }
        </Fold>
      ))}
    </>
  );
}

/** What the run was made with. */
export function Facts({ data }: { data: PageData }) {
  return (
    <Section id="facts" title="Reproduce">
      <dl class="pairs">
        {data.run.facts.map(({ name, value }) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </Section>
  );
}
