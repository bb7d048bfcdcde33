import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../core/counted.js';
import type { RowRole } from '../report/matrix-view.js';
import type { PageMatrix, PageRow, UniformRows } from '../report/page-data.js';
import { Block, Choice, Fold, Mark, Scroll, TestName } from './parts.js';
import { ROLES } from './text.js';

type Shown = 'separating' | 'telling' | 'all';

const SEPARATING: readonly RowRole[] = ['deciding', 'evidence', 'differential', 'not-evidence'];

const COLUMN_NOTE = { selected: '▸ selected', leader: 'in the lead', other: '', base: 'unpatched' } as const;

/** Tests × candidates: the selected candidate first, rows that separate candidates first. */
export function MatrixTable({
  matrix,
  show,
  test,
  onShow,
}: {
  matrix: PageMatrix;
  show: string | undefined;
  /** Id of a test whose row is open at the start. */
  test: string | undefined;
  onShow: (show: Shown) => void;
}) {
  const separating = matrix.rows.filter(({ role }) => SEPARATING.includes(role));
  const shown: Shown = show === 'telling' || show === 'all' ? show : 'separating';
  const rows = shown === 'separating' ? separating : matrix.rows;
  const others = matrix.uniform.reduce((sum, { tests }) => sum + tests.length, 0);
  const width = matrix.columns.length + 1;
  return (
    <>
      <Choice
        label="Rows"
        name="matrix-rows"
        value={shown}
        onChange={onShow}
        options={[
          { value: 'separating', text: `separating (${separating.length})` },
          { value: 'telling', text: `also flaky and weak (${matrix.rows.length})` },
          { value: 'all', text: `all ${counted(matrix.tests, 'test')}` },
        ]}
      />
      <Scroll label="Outcome of each test on each candidate">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Test</th>
              {matrix.columns.map(({ id, title, role }) => (
                <th scope="col" key={id} class={role}>
                  <span class="over">{COLUMN_NOTE[role]}</span>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={`${row.testId} ${row.spread} ${row.role}`}
                row={row}
                matrix={matrix}
                open={isNamed(row, test)}
              />
            ))}
            {rows.length === 0 ? (
              <tr>
                <td colSpan={width} class="nothing">
                  No test separates the candidates
                  {shown === 'separating' && matrix.rows.length > 0 ? ' for certain' : ''}.
                </td>
              </tr>
            ) : null}
            {shown === 'all' ? (
              matrix.uniform.map((group) => (
                <Uniform key={`${group.file} ${group.marks}`} group={group} matrix={matrix} />
              ))
            ) : others === 0 ? null : (
              <Rest matrix={matrix} others={others} />
            )}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** Of a test that has a name besides. */
const fileOf = (testId: string): string => (testId.includes('::') ? (testId.split('::')[0] ?? '') : '');

const isNamed = (row: PageRow, test: string | undefined): boolean =>
  test !== undefined && (row.testId === test || row.ids.includes(test));

function Row({ row, matrix, open }: { row: PageRow; matrix: PageMatrix; open: boolean }) {
  const [isOpen, setOpen] = useState(open);
  const toggle = (): void => setOpen(!isOpen);
  const origin = row.origin === 'original' ? 'original' : `${row.origin} y${row.step}`;
  return (
    <>
      <tr class={`row ${row.role}`}>
        <th scope="row">
          <button type="button" class="open" aria-expanded={isOpen} onClick={toggle}>
            <span class="turn" aria-hidden="true">
              {isOpen ? '▾' : '▸'}
            </span>
            <TestName id={row.testId} spread={row.spread} file={false} />
          </button>
          <span class="tags">
            <span class="file">{fileOf(row.testId)} </span>
            <span class={`tag ${row.role}`}>{ROLES[row.role]}</span>
            <span class="tag">{origin}</span>
            {row.class === null ? null : <span class="tag">{row.class}</span>}
          </span>
        </th>
        {row.cells.map(({ mark }, index) => {
          const column = matrix.columns[index];
          return (
            <td key={column?.id} class={`${column?.role} ${mark}`}>
              <Mark mark={mark} />
            </td>
          );
        })}
      </tr>
      {isOpen ? (
        <tr class="detail">
          <td colSpan={matrix.columns.length + 1}>
            <Evidence row={row} matrix={matrix} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Evidence({ row, matrix }: { row: PageRow; matrix: PageMatrix }) {
  const failures = row.cells.flatMap((cell, index) => {
    const title = matrix.columns[index]?.title ?? '';
    return cell.message === '' ? [] : [{ title, ...cell }];
  });
  const rerun = Math.min(...row.cells.slice(0, -1).map(({ reruns }) => reruns));
  return (
    <div class="evidence">
      {row.quote === '' ? null : <blockquote>{row.quote}</blockquote>}
      {row.reason === '' ? null : (
        <p>
          <b>Judged {row.class}:</b> {row.reason}
        </p>
      )}
      {rerun > 0 ? <p class="dim">Confirmed: run again at least {counted(rerun, 'time')} on every candidate.</p> : null}
      {failures.map(({ title, mark, message }) => (
        <Fragment key={title}>
          <h3>
            {title} <Mark mark={mark} />
          </h3>
          <Block text={message} label={`Failure on ${title}`} />
        </Fragment>
      ))}
      {row.ids.length === 0 ? null : (
        <Fold title={`All ${row.ids.length} ids`}>{() => <Block text={row.ids.join('\n')} label="Ids" />}</Fold>
      )}
    </div>
  );
}

function Uniform({ group, matrix }: { group: UniformRows; matrix: PageMatrix }) {
  return (
    <tr class="uniform">
      <th scope="row">
        <Fold title={`${counted(group.tests.length, 'test')} of ${group.file}`}>
          {() => <Block text={group.tests.join('\n')} label={`Tests of ${group.file}`} />}
        </Fold>
      </th>
      {group.marks.map((mark, index) => (
        <td key={matrix.columns[index]?.id} class={`${matrix.columns[index]?.role} quiet`}>
          <Mark mark={mark} />
        </td>
      ))}
    </tr>
  );
}

function Rest({ matrix, others }: { matrix: PageMatrix; others: number }) {
  return (
    <tr class="rest">
      <th scope="row">{counted(others, 'other test')}, the same outcome wherever they ran</th>
      {matrix.columns.map(({ id, role }, index) => {
        const passed = matrix.uniform.reduce(
          (sum, { marks, tests }) => sum + (marks[index] === 'passed' ? tests.length : 0),
          0,
        );
        const missing = matrix.uniform.reduce(
          (sum, { marks, tests }) => sum + (marks[index] === 'missing' ? tests.length : 0),
          0,
        );
        return (
          <td key={id} class={role}>
            {passed === others ? 'all pass' : `${passed} pass`}
            {missing === 0 ? '' : `, ${missing} not run`}
          </td>
        );
      })}
    </tr>
  );
}
